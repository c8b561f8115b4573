/**
 * Measures how the sink bears many resources, large objects, slow stores and growth, in JVMs with a
 * small heap.
 *
 * <p>Begin with {@link io.filament.sink.scale.Scale}.
 */
@NullMarked
package io.filament.sink.scale;

import org.jspecify.annotations.NullMarked;
