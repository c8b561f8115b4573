package io.filament.sink.quickstart;

import io.filament.sink.quickstart.DataSet.Detail;
import io.filament.sink.quickstart.DataSet.Reading;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What was written and what was read of one object. */
final class Comparison {

  private static final int ROWS_BETWEEN_SHOWN = 1500;

  private final List<Reading> readings;
  private final List<List<String>> sample = new ArrayList<>();
  private long written;
  private long read;
  private Optional<String> difference = Optional.empty();

  Comparison(List<Reading> readings) {
    this.readings = readings;
    sample.add(line("row", "", readings.stream().map(Reading::title).toList()));
  }

  long written() {
    return written;
  }

  long read() {
    return read;
  }

  /** Returns the first difference, in plain words. */
  Optional<String> difference() {
    return difference;
  }

  /** Returns some records as they were written and as they were read, below a header. */
  List<List<String>> sample() {
    return sample;
  }

  void next(@Nullable Object[] row, ResultSet result) throws IOException {
    try {
      written++;
      if (!result.next()) {
        differ("row " + (written - 1) + " is missing");
        return;
      }
      read++;
      List<@Nullable Object> expected = new ArrayList<>();
      List<@Nullable Object> actual = new ArrayList<>();
      for (int i = 0; i < readings.size(); i++) {
        expected.add(comparable(readings.get(i).written().apply(row)));
        actual.add(comparable(result.getObject(i + 1)));
        if (!Objects.equals(expected.get(i), actual.get(i))) {
          differ(
              "row %d, %s: written %s, read %s"
                  .formatted(written - 1, readings.get(i).title(), expected.get(i), actual.get(i)));
        }
      }
      if ((written - 1) % ROWS_BETWEEN_SHOWN == 0) {
        sample.add(line(Texts.count(written - 1), "written", expected));
        sample.add(line("", "read", actual));
      }
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }

  void countRest(ResultSet result) throws SQLException {
    while (result.next()) {
      read++;
      differ("row " + (read - 1) + " was never written");
    }
  }

  private void differ(String what) {
    difference = difference.or(() -> Optional.of(what));
  }

  private List<String> line(String row, String side, List<? extends @Nullable Object> values) {
    List<String> line = new ArrayList<>(List.of(row, side));
    for (int i = 0; i < readings.size(); i++) {
      if (readings.get(i).detail() == Detail.SHOWN) {
        line.add(String.valueOf(values.get(i)));
      }
    }
    return line;
  }

  /** Brings what JDBC and the source call differently to one form. */
  private static @Nullable Object comparable(@Nullable Object value) {
    if (value instanceof OffsetDateTime time) {
      return time.toInstant();
    }
    if (value instanceof BigDecimal decimal) {
      return decimal.stripTrailingZeros();
    }
    return value;
  }
}
