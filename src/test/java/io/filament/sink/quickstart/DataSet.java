package io.filament.sink.quickstart;

import io.filament.sink.Schema;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The records of one resource, read anew from a file on the class path each time. */
interface DataSet {

  /** Returns the resource's name. */
  String resource();

  /** Returns the fields of a row. */
  Schema schema();

  /** Returns what is read back of each record; together they cover every field. */
  List<Reading> readings();

  /** Reads the source from its beginning and hands over one row after the other. */
  void forEachRow(RowConsumer consumer) throws IOException;

  /** Takes a row, whose values are in the schema's order. */
  interface RowConsumer {
    void accept(@Nullable Object[] row) throws IOException;
  }

  /**
   * One value that DuckDB is asked for, and what it must be.
   *
   * @param title how it is called in the output
   * @param sql the expression; the same for every file format
   * @param written the value of the row that was written
   * @param detail whether it is shown
   */
  record Reading(
      String title, String sql, Function<Object[], @Nullable Object> written, Detail detail) {

    static Reading shown(String title, String sql, Function<Object[], @Nullable Object> written) {
      return new Reading(title, sql, written, Detail.SHOWN);
    }

    static Reading compared(
        String title, String sql, Function<Object[], @Nullable Object> written) {
      return new Reading(title, sql, written, Detail.COMPARED);
    }
  }

  /** What happens to a value that was read back. */
  enum Detail {
    /** It is compared, and shown for the first rows. */
    SHOWN,
    /** It is compared. */
    COMPARED
  }

  /** Opens a file of the quickstart's resources. */
  static BufferedReader open(String file) {
    InputStream in = DataSet.class.getResourceAsStream("/quickstart/" + file);
    Objects.requireNonNull(in, file);
    return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
  }
}
