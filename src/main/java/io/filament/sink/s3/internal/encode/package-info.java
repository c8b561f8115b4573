/**
 * Turns records into the bytes of one object; knows {@link java.io.OutputStream} and never S3.
 *
 * <p>Begin with {@link io.filament.sink.s3.internal.encode.ResourceEncoder}: it gathers a batch,
 * slice by slice, into checked {@code Vector}s, which an {@code Encoder} then writes.
 */
@NullMarked
package io.filament.sink.s3.internal.encode;

import org.jspecify.annotations.NullMarked;
