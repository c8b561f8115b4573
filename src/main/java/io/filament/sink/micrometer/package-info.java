/**
 * What a sink does as meters of Micrometer: begin with {@link
 * io.filament.sink.micrometer.SinkMetrics}.
 *
 * <p>Nothing else of the sink needs Micrometer, whose jars a host brings itself.
 */
@NullMarked
package io.filament.sink.micrometer;

import org.jspecify.annotations.NullMarked;
