/**
 * The S3 sink: its front door, its configuration and the state of a run.
 *
 * <p>Begin with {@link io.filament.sink.s3.S3Sink}.
 */
@NullMarked
package io.filament.sink.s3;

import org.jspecify.annotations.NullMarked;
