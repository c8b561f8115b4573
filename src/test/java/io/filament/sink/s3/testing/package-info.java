/** What tests of several packages share: stores that can be looked into, and stores that fail. */
package io.filament.sink.s3.testing;
