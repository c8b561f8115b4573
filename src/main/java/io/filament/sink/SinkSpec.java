package io.filament.sink;

/** Describes a kind of sink. */
public final class SinkSpec {

  private SinkSpec() {}
}
