/**
 * Arrow's vectors as batches: begin with {@link io.filament.sink.arrow.ArrowBatches}.
 *
 * <p>Nothing else of the sink needs Arrow, whose jars a host brings itself.
 */
@NullMarked
package io.filament.sink.arrow;

import org.jspecify.annotations.NullMarked;
