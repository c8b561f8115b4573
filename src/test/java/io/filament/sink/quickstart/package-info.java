/**
 * What a newcomer runs: real data through the sink into an S3 server, and back through DuckDB.
 *
 * <p>Begin with {@link io.filament.sink.quickstart.Quickstart}. It lives in the test scope, so that
 * its embedded server and DuckDB never reach a host's class path.
 */
@NullMarked
package io.filament.sink.quickstart;

import org.jspecify.annotations.NullMarked;
