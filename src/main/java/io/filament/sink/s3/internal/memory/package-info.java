/**
 * Bounds the memory of a run.
 *
 * <p>Begin with {@link io.filament.sink.s3.internal.memory.RunMemory}, of which each run has one.
 */
@NullMarked
package io.filament.sink.s3.internal.memory;

import org.jspecify.annotations.NullMarked;
