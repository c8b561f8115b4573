package io.filament.sink;

/**
 * What a run means for the records of earlier runs. Each run writes objects of its own, so a sink
 * of files treats both alike; a host uses the mode to choose which runs a reader sees.
 */
public enum WriteMode {
  /** The run holds all records of its resources and replaces those of earlier runs. */
  FULL_REPLACE,
  /** The run's records come beside those of earlier runs. */
  FULL_APPEND
}
