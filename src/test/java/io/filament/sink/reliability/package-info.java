/**
 * What is left when the process that writes is killed, and what is used up when it runs for long.
 *
 * <p>The sink runs in a child JVM; the S3 server and whoever judges the bucket are here. Begin with
 * {@link io.filament.sink.reliability.KillTest}.
 */
@NullMarked
package io.filament.sink.reliability;

import org.jspecify.annotations.NullMarked;
