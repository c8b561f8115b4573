/** Micro-benchmarks of single steps; built and run by the profile {@code jmh} alone. */
@NullMarked
package io.filament.sink.jmh;

import org.jspecify.annotations.NullMarked;
