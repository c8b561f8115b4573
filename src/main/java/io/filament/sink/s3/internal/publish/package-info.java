/**
 * Makes the uploaded objects of a run visible and the run valid: completes and checks each object,
 * then publishes the manifest.
 *
 * <p>Begin with {@link io.filament.sink.s3.internal.publish.RunCommitter}.
 */
@NullMarked
package io.filament.sink.s3.internal.publish;

import org.jspecify.annotations.NullMarked;
