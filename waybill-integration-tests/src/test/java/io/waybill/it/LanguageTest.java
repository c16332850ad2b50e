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
import java.util.stream.Stream;
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
          "waybill-jdbc",
          "waybill-relay",
          "waybill-inbox",
          "waybill-java",
          "waybill-kafka",
          "waybill-rabbitmq",
          "waybill-micrometer",
          "waybill-opentelemetry",
          "waybill-spring-boot-starter",
          "waybill-spring-modulith",
          "waybill-spring-cloud-stream",
          "waybill-console",
          "waybill-server");
  private static final List<String> PAGES =
      List.of("docs/architecture.md", "docs/glossary.md", "docs/from-your-system.md");
  // Readers know a system by its name.
  private static final Pattern NUMBERED = Pattern.compile("(?i)documents?[\\s*/#-]*0\\d\\d");
  private static final int MOST_WORDS = 25;
  private static final int MOST_WORDS_OF_A_CELL = 12;
  private static final int MOST_COLUMNS = 120;
  // Ends of sentences, and what begins another text: block tags, paragraphs, items, listings.
  private static final Pattern END =
      Pattern.compile(
          "(?<=[.!?:;])\\s+|<pre>.*?</pre>|</?\\w+>|@(param|throws) \\S+|@return|\\s[*-] ");
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
    PASSAGES.clear(); // A failing class runs twice.
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
  void noFileCallsASystemByTheNumberOfItsDocument() throws IOException {
    List<Path> files =
        OwnFiles.matching(
            ROOT, ".*\\.(java|sql|md|yaml|yml|xml|properties|txt|facts|js|py|sh|html|tla)");
    assertThat(files).hasSizeGreaterThan(1_000);
    List<String> found = new ArrayList<>();
    for (Path file : files) {
      NUMBERED
          .matcher(Files.readString(file))
          .results()
          .forEach(number -> found.add(file + ": " + number.group()));
    }
    assertThat(found).isEmpty();
    assertThat(NUMBERED.matcher("as in document\n   * " + "004, or Document" + "002").results())
        .hasSize(2);
  }

  @Test
  void sentencesOfJavadocAreShort() {
    List<String> found =
        PASSAGES.stream()
            .filter(PublicText.Passage::comment)
            .filter(passage -> !passage.file().toString().contains("/internal/"))
            .flatMap(
                passage ->
                    tooLong(passage.text())
                        .map(text -> passage.file() + ":" + passage.lines()[0] + ": " + text))
            .toList();
    assertThat(found).isEmpty();
  }

  @Test
  void pagesAreReadable() throws IOException {
    List<String> found = new ArrayList<>();
    for (String page : PAGES) {
      String text =
          Files.readString(ROOT.resolve(page)).replaceAll("(?s)```.*?```", "").replace("`", "");
      text.lines()
          .filter(line -> !line.startsWith("|") && line.length() > MOST_COLUMNS)
          .forEach(line -> found.add(page + ": " + line));
      text.lines()
          .filter(line -> line.startsWith("|"))
          .flatMap(line -> Stream.of(line.split("\\|")))
          .filter(cell -> length(cell) > MOST_WORDS_OF_A_CELL)
          .forEach(cell -> found.add(page + ": " + cell));
      Stream.of(text.replaceAll("(?m)^\\|.*$", "").split("\n\\s*\n"))
          .flatMap(LanguageTest::tooLong)
          .forEach(sentence -> found.add(page + ": " + sentence));
    }
    assertThat(found).isEmpty();
  }

  private static Stream<String> tooLong(String text) {
    return END.splitAsStream(text.replace("e.g. ", "e.g.,"))
        .filter(each -> length(each) > MOST_WORDS);
  }

  private static int length(String sentence) {
    return (int)
        Stream.of(sentence.split("\\s+"))
            .filter(word -> word.chars().anyMatch(Character::isLetterOrDigit))
            // Names are none.
            .filter(word -> !word.matches("[x.,()-]+"))
            .count();
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
