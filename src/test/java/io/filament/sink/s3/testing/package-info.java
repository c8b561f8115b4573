/**
 * What tests of several packages share: stores that can be looked into, stores that fail, and real
 * S3 servers.
 *
 * <p>For the servers begin with {@link io.filament.sink.s3.testing.EachS3Endpoint}: a test that
 * carries it is run once for every server at hand, and gets an {@link
 * io.filament.sink.s3.testing.S3Endpoint}. {@code docs/testing.md} tells which servers those are.
 */
package io.filament.sink.s3.testing;
