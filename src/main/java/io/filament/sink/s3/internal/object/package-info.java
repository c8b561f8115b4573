/**
 * Turns the bytes of each resource into parts, and the parts into one uploaded, still invisible
 * object.
 *
 * <p>Begin with {@link io.filament.sink.s3.internal.object.ObjectWriter}. All requests of a run go
 * through one {@link io.filament.sink.s3.internal.object.RequestPool}, which bounds them.
 */
@NullMarked
package io.filament.sink.s3.internal.object;

import org.jspecify.annotations.NullMarked;
