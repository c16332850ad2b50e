package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/dead-letters.md is a runbook that knows each reason for a dead letter. */
class DeadLetterMapTest {
  private static final Path ROOT = Path.of("..");
  private static final List<String> PLACES =
      List.of(
          "waybill-inbox/src/main/java/io/waybill",
          "waybill-core/src/main/java/io/waybill/internal");
  private static final Pattern GIVEN_UP =
      Pattern.compile(
          "(?:letters\\.bury\\(\\s*message,|Bury\\(|Undecodable\\(|unfit\\()\\s*\"([a-z-]+)\"");
  private static final Pattern REASON = Pattern.compile("`([a-z-]+)`");

  @Test
  void theRunbookGoesFromTheSymptomToTheMending() throws IOException {
    String runbook = Files.readString(ROOT.resolve("docs/dead-letters.md"));
    List<String> sections =
        runbook
            .lines()
            .filter(line -> line.startsWith("## "))
            .map(line -> line.substring(3))
            .toList();
    assertThat(sections).startsWith("Symptom", "Cause", "Look", "Mend");
  }

  @Test
  void everyReasonHasItsCauseAndItsMending() throws IOException {
    Set<String> given = new TreeSet<>();
    for (String folder : PLACES) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          add(GIVEN_UP, Files.readString(file), given);
        }
      }
    }
    assertThat(given).contains("permanent-failure", "killed-the-process", "no-event-id");
    Set<String> told = new TreeSet<>();
    List<String> rows =
        Files.readAllLines(ROOT.resolve("docs/dead-letters.md")).stream()
            .dropWhile(line -> !line.startsWith("| `reason` |"))
            .skip(2)
            .takeWhile(line -> line.startsWith("|"))
            .toList();
    rows.forEach(row -> add(REASON, row.split("\\|", -1)[1], told));
    assertThat(told).isEqualTo(given);
  }

  private static void add(Pattern pattern, String text, Set<String> found) {
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      found.add(matcher.group(1));
    }
  }
}
