package io.filament.sink.quickstart;

/**
 * A run of the quickstart, in one file format.
 *
 * @param run the run's id
 * @param name the setting {@code file_format}
 * @param compression the setting {@code compression}
 * @param extension the end of the objects' names
 * @param reader the function of DuckDB that reads it
 */
record Format(String run, String name, String compression, String extension, String reader) {}
