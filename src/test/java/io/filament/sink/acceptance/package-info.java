/**
 * What a host and a reader see: runs through the public API against a real S3 server, and the
 * bucket looked at with an SDK client, DuckDB, Jackson, gzip and zstd. Nothing here knows an
 * internal class.
 *
 * <p>Begin with {@link io.filament.sink.acceptance.LayoutTest}.
 */
@NullMarked
package io.filament.sink.acceptance;

import org.jspecify.annotations.NullMarked;
