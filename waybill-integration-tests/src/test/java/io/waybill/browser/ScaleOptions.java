package io.waybill.browser;

import io.waybill.database.DatabaseKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * Beside how many events pages are measured.
 *
 * @param database product, if pages are measured at all
 * @param events kept events, where the data are written first
 * @param data folder with the data of a server, if they are there already
 * @param minutes for which pages stay open
 */
record ScaleOptions(
    Optional<DatabaseKind> database, Optional<Long> events, Optional<Path> data, int minutes) {
  static final ScaleOptions NONE =
      new ScaleOptions(Optional.empty(), Optional.empty(), Optional.empty(), 10);

  private static final long USUAL = 10_000_000;
  private static final long LEAST = 200_000;

  ScaleOptions on(String name) {
    return new ScaleOptions(
        Optional.of(
            switch (name) {
              case "postgresql" -> DatabaseKind.POSTGRESQL;
              case "mariadb" -> DatabaseKind.MARIADB;
              default ->
                  throw new IllegalArgumentException(
                      "--scale must be postgresql or mariadb, is '" + name + "'");
            }),
        events,
        data,
        minutes);
  }

  ScaleOptions events(String number) {
    return new ScaleOptions(
        database, Optional.of(number("--events", number, LEAST)), data, minutes);
  }

  ScaleOptions data(Path folder) {
    if (!Files.isDirectory(folder)) {
      throw new IllegalArgumentException("--data must be a folder, is '" + folder + "'");
    }
    return new ScaleOptions(database, events, Optional.of(folder), minutes);
  }

  ScaleOptions minutes(String number) {
    return new ScaleOptions(
        database, events, data, Math.toIntExact(number("--minutes", number, 1)));
  }

  private static long number(String option, String number, long least) {
    long value = number.matches("\\d{1,9}") ? Long.parseLong(number) : -1;
    if (value < least) {
      throw new IllegalArgumentException(
          "%s must be a number from %d to 999999999, is '%s'".formatted(option, least, number));
    }
    return value;
  }

  /** Empty if nothing is measured. */
  Optional<ScaleOptions> checked() {
    if (database.isEmpty() && !equals(NONE)) {
      throw new IllegalArgumentException("--events, --data and --minutes need --scale");
    }
    if (data.isPresent() && events.isPresent()) {
      throw new IllegalArgumentException("--data and --events exclude each other");
    }
    return database.map(each -> this);
  }

  DatabaseKind kind() {
    return database.orElseThrow();
  }

  /** How many are written. */
  long written() {
    return events.orElse(USUAL);
  }

  /** What is measured, for the first line. */
  String text() {
    return data.map(folder -> "the data of " + folder)
            .orElseGet(() -> String.format(Locale.ROOT, "%,d kept events", written()))
        + " on "
        + kind();
  }
}
