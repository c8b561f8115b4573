/**
 * The only door to S3: the {@link io.filament.sink.s3.internal.store.ObjectStore} port, its
 * implementation over the AWS SDK, the mapping of errors, and the one place where a key is spelt.
 */
@NullMarked
package io.filament.sink.s3.internal.store;

import org.jspecify.annotations.NullMarked;
