package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.observe.Check;
import io.waybill.observe.Finding.Severity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** docs/doctor.md has each check that there is, with a test that makes it find something. */
class DoctorMapTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern ROW =
      Pattern.compile(
          "\\| (\\d+) \\| `([a-z0-9-]+)` \\|([^|]+)\\|([^|]+)\\| (refuses|warns|notes) \\|([^|]+)\\|"
              + " `(\\w+)\\.(\\w+)` \\|");

  private static final Map<String, String> TESTS = new HashMap<>();

  /** A line of the document. */
  private record Row(int number, String code, Severity severity, String type, String method) {}

  @BeforeAll
  static void readTheTests() throws IOException {
    OwnFiles.matching(ROOT, ".*/src/test/.*(Test|Contract)\\.java").forEach(DoctorMapTest::read);
  }

  private static void read(Path file) {
    try {
      TESTS.put(file.getFileName().toString().replace(".java", ""), Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void everyCheckHasItsLineAndEveryLineACheck() throws IOException {
    List<Row> rows = rows();
    assertThat(rows)
        .extracting(Row::code)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(Check.values()).map(Check::code).toList());
    assertThat(rows)
        .extracting(Row::number)
        .containsExactlyElementsOf(IntStream.rangeClosed(1, rows.size()).boxed().toList());
  }

  @Test
  void linesSayWhetherTheStartIsRefused() throws IOException {
    assertThat(rows())
        .allSatisfy(
            row -> assertThat(check(row).severity()).as(row.code()).isEqualTo(row.severity()));
  }

  @Test
  void everyCheckIsFoundByTheTestOfItsLine() throws IOException {
    assertThat(rows())
        .allSatisfy(
            row -> {
              assertThat(TESTS).containsKey(row.type());
              String source = TESTS.get(row.type());
              assertThat(source).contains("void " + row.method() + "(");
              assertThat(source).as(row.type()).contains(check(row).name());
            });
  }

  @Test
  void thereAreAtLeastFortyUnsafeSettings() throws IOException {
    String document = Files.readString(ROOT.resolve("docs/doctor.md"));
    String settings = document.replaceFirst("(?s)\n## Where the checks cannot look.*", "");
    assertThat(settings).hasSizeLessThan(document.length());
    assertThat(settings.lines().filter(line -> ROW.matcher(line).matches()).count())
        .isGreaterThanOrEqualTo(40);
  }

  private static Check check(Row row) {
    return Arrays.stream(Check.values())
        .filter(check -> check.code().equals(row.code()))
        .findFirst()
        .orElseThrow(() -> new AssertionError("No such check: " + row.code()));
  }

  private static List<Row> rows() throws IOException {
    return Files.readAllLines(ROOT.resolve("docs/doctor.md")).stream()
        .filter(line -> line.startsWith("| ") && !line.startsWith("| # "))
        .map(DoctorMapTest::row)
        .toList();
  }

  private static Row row(String line) {
    Matcher matcher = ROW.matcher(line);
    assertThat(matcher.matches()).as(line).isTrue();
    return new Row(
        Integer.parseInt(matcher.group(1)),
        matcher.group(2),
        Severity.valueOf(matcher.group(5).replaceFirst("s$", "").toUpperCase(Locale.ROOT)),
        matcher.group(7),
        matcher.group(8));
  }
}
