package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Javadoc of the API and messages avoid the words of {@code absent.txt}, and use those of {@code
 * counted.txt} as often as is recorded there.
 */
class LanguageTest {
  private static final Path ROOT = Path.of("..");
  private static final Path WORDS = Path.of("src/test/resources/language");
  private static final List<String> MODULES =
      List.of(
          "waybill-core",
          "waybill-kafka",
          "waybill-rabbitmq",
          "waybill-micrometer",
          "waybill-opentelemetry",
          "waybill-spring-boot-starter",
          "waybill-spring-modulith",
          "waybill-spring-cloud-stream",
          "waybill-server");
  private static final Pattern LINE = Pattern.compile("(?:(\\d+) )?(.+) -> (.+)");

  private static final List<PublicText.Passage> PASSAGES = new ArrayList<>();

  /**
   * A line of a list of words.
   *
   * @param recorded how often the word is used; 0 in a list without numbers
   */
  private record Word(int recorded, Pattern pattern, String instead) {
    static Word of(String line) {
      Matcher matcher = LINE.matcher(line);
      assertThat(matcher.matches()).as(line).isTrue();
      return new Word(
          matcher.group(1) == null ? 0 : Integer.parseInt(matcher.group(1)),
          Pattern.compile(matcher.group(2), Pattern.CASE_INSENSITIVE),
          matcher.group(3));
    }

    List<String> in(List<PublicText.Passage> passages) {
      return passages.stream()
          .flatMap(
              passage ->
                  pattern.matcher(passage.text()).results().map(found -> place(passage, found)))
          .toList();
    }

    private String place(PublicText.Passage passage, MatchResult found) {
      return "%s:%d: \"%s\"; write: %s"
          .formatted(
              passage.file(), passage.lines()[found.start()], found.group().strip(), instead);
    }
  }

  @BeforeAll
  static void readTheModules() throws IOException {
    for (String module : MODULES) {
      List<Path> sources = OwnFiles.matching(ROOT.resolve(module + "/src/main/java"), ".*\\.java");
      assertThat(sources).as(module).isNotEmpty();
      PASSAGES.addAll(PublicText.of(sources));
    }
  }

  @Test
  void noTextUsesAWordThatIsWrong() throws IOException {
    List<String> found =
        words("absent.txt").stream().flatMap(word -> word.in(PASSAGES).stream()).toList();
    assertThat(found).isEmpty();
  }

  @Test
  void wordsThatAreUsedTooOftenAreNotUsedMoreOften() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Word word : words("counted.txt")) {
      List<String> found = word.in(PASSAGES);
      if (found.size() > word.recorded()) {
        wrong.add("%d instead of %d:".formatted(found.size(), word.recorded()));
        wrong.addAll(found);
      } else if (found.size() < word.recorded()) {
        wrong.add("record %d for %s".formatted(found.size(), word.pattern()));
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void textsAreThoseThatUsersRead(@TempDir Path folder) throws IOException {
    Path source = folder.resolve("Gate.java");
    Files.writeString(
        source,
        """
        /** Opens
         * again. */
        public class Gate {
          /** Is private. */
          private int width;

          /** Is inside. */
          void close() {}

          /** Is protected, see {@link Gate#again}. */
          protected void open() {
            throw new IllegalStateException("not " + width
                + " wide " + "enough");
          }

          /** Is a type. */
          public interface Key {
            /** Is public. */
            void turn();
          }

          static final class Lock {
            /** Is hidden. */
            public void turn() {}
          }
        }
        """);
    List<PublicText.Passage> passages = PublicText.of(List.of(source));
    assertThat(passages)
        .extracting(passage -> passage.text().strip())
        .containsExactlyInAnyOrder(
            "Opens again.",
            "Is protected, see xxxxxx xxxxxxxxxxx.",
            "not {} wide enough",
            "Is a type.",
            "Is public.");
    assertThat(Word.of("\\bagain\\b -> anew").in(passages))
        .containsExactly(source + ":2: \"again\"; write: anew");
    assertThat(Word.of("wide enough -> broad").in(passages))
        .containsExactly(source + ":13: \"wide enough\"; write: broad");
  }

  private static List<Word> words(String list) throws IOException {
    List<Word> words =
        Files.readAllLines(WORDS.resolve(list)).stream()
            .filter(line -> !line.startsWith("#"))
            .map(Word::of)
            .toList();
    assertThat(words).isNotEmpty();
    return words;
  }
}
