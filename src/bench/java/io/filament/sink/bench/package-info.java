/**
 * The sink beside its peers, on the same data and in turn: {@link io.filament.sink.bench.Bench}
 * starts a JVM for each pair. Built and run by the profile {@code bench} alone.
 */
@NullMarked
package io.filament.sink.bench;

import org.jspecify.annotations.NullMarked;
