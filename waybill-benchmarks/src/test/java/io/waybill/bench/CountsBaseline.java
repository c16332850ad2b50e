package io.waybill.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What counts were when somebody last agreed to them, one line for each: name, value, tolerance.
 */
record CountsBaseline(Map<String, Allowed> counts) {
  private static final String FILE = "src/test/resources/counts-baseline.txt";
  private static final Path RENEWED = Path.of("target", "counts-baseline.txt");
  private static final String HEAD =
      "# candidate.count, value per event (append: per transaction), allowed difference\n";

  /** A value and how far another one may be from it. */
  record Allowed(double value, double tolerance) {
    boolean allows(double other) {
      return Math.abs(other - value) <= tolerance;
    }
  }

  static CountsBaseline read() {
    Map<String, Allowed> counts = new TreeMap<>();
    for (String line : text().lines().filter(text -> !text.startsWith("#")).toList()) {
      String[] words = line.trim().split(" +", -1);
      counts.put(words[0], new Allowed(Double.parseDouble(words[1]), Double.parseDouble(words[2])));
    }
    return new CountsBaseline(counts);
  }

  private static String text() {
    try (InputStream file = CountsBaseline.class.getResourceAsStream("/counts-baseline.txt")) {
      return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One sentence for each count that is not what it was. */
  List<String> differences(Map<String, Double> now) {
    List<String> found = new ArrayList<>();
    now.forEach(
        (name, value) -> {
          Allowed allowed = counts.get(name);
          if (allowed == null) {
            found.add("%s is %s and not in the baseline".formatted(name, number(value)));
          } else if (!allowed.allows(value)) {
            found.add(
                "%s is %s, but the baseline says %s, give or take %s"
                    .formatted(
                        name, number(value), number(allowed.value()), number(allowed.tolerance())));
          }
        });
    counts.keySet().stream()
        .filter(name -> !now.containsKey(name))
        .forEach(name -> found.add(name + " is in the baseline and was not counted"));
    return found;
  }

  /** Writes what the baseline would be now, and says what to do with it. */
  String renewal(Map<String, Double> now) {
    StringBuilder text = new StringBuilder(HEAD);
    now.forEach(
        (name, value) ->
            text.append(
                "%-45s %12s %10s%n"
                    .formatted(name, number(value), number(tolerance(counts.get(name), value)))));
    try {
      Files.writeString(RENEWED, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return "If that is meant to be, renew the baseline: copy waybill-benchmarks/%s over waybill-benchmarks/%s"
        .formatted(RENEWED, FILE);
  }

  private static double tolerance(@Nullable Allowed allowed, double value) {
    return allowed == null ? Math.max(0.01 * value, 0.001) : allowed.tolerance();
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.4f", value);
  }
}
