/**
 * The contract between a pipeline engine and a sink; it knows nothing of S3.
 *
 * <p>A host begins with {@link io.filament.sink.SinkProvider} (found by {@link
 * java.util.ServiceLoader}) or with a sink's own factory, describes a run with {@link
 * io.filament.sink.RunSpec}, hands over {@link io.filament.sink.RecordBatch}es, and commits: see
 * {@link io.filament.sink.Sink}.
 */
@NullMarked
package io.filament.sink;

import org.jspecify.annotations.NullMarked;
