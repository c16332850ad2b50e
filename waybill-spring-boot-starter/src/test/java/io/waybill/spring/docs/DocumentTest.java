package io.waybill.spring.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** docs/spring-boot.md quotes code that runs, and lists every key. */
class DocumentTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "spring-boot.md");
  private static final List<Path> SOURCES =
      List.of(
          Path.of("src/test/java/io/waybill/spring/docs"),
          Path.of("../examples/quickstart-spring/src/main/java/io/waybill/examples/first"));
  private static final Pattern JAVA =
      Pattern.compile("(?:<!-- quote: ([^#]+)#(\\S+) -->\\n)?```java\\n(.*?)```", Pattern.DOTALL);
  private static final Pattern KEY =
      Pattern.compile("^\\| `(waybill\\.[^`]+)` \\|", Pattern.MULTILINE);

  @Test
  void everyJavaBlockIsARegionOfASourceThatTestsRun() throws IOException {
    List<MatchResult> blocks = JAVA.matcher(Files.readString(DOCUMENT)).results().toList();

    assertThat(blocks)
        .isNotEmpty()
        .allSatisfy(
            block -> {
              assertThat(block.group(1)).as("source of %s", block.group(3)).isNotNull();
              assertThat(block.group(3)).isEqualTo(region(block.group(1), block.group(2)));
            });
  }

  private static String region(String source, String name) {
    try {
      String text = Files.readString(file(source));
      Matcher matcher =
          Pattern.compile(
                  "// quote:" + Pattern.quote(name) + "\\n(.*?)\\n *// quote:end", Pattern.DOTALL)
              .matcher(text);
      assertThat(matcher.find()).as("region %s of %s", name, source).isTrue();
      return matcher.group(1).stripTrailing().stripIndent() + "\n";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path file(String source) {
    List<Path> found =
        SOURCES.stream().map(folder -> folder.resolve(source)).filter(Files::exists).toList();
    assertThat(found).as("sources of the name %s", source).hasSize(1);
    return found.get(0);
  }

  @Test
  void everyKeyIsListedWithItsMetadata() throws IOException {
    JsonNode metadata =
        JsonMapper.builder()
            .build()
            .readTree(
                Path.of("target/classes/META-INF/spring-configuration-metadata.json").toFile());
    Set<String> keys = new TreeSet<>();
    for (JsonNode property : metadata.get("properties")) {
      if (!property.get("name").asString().startsWith("waybill.")) {
        continue;
      }
      keys.add(property.get("name").asString());
      assertThat(property.path("description").asString(""))
          .as("description of %s", property.get("name"))
          .isNotEmpty();
    }
    assertThat(listed()).isEqualTo(keys);
  }

  @Test
  void theTiersNameKeysThatThereAre() throws IOException {
    String tiers =
        Files.readString(DOCUMENT)
            .lines()
            .filter(line -> line.startsWith("Essential: ") && line.contains(" Frequent: "))
            .findFirst()
            .orElseThrow();
    Set<String> keys = listed();

    assertThat(Pattern.compile("`([^`]+)`").matcher(tiers).results().map(each -> each.group(1)))
        .isNotEmpty()
        .allMatch(
            tier -> keys.stream().anyMatch(key -> key.equals(tier) || key.startsWith(tier + ".")));
  }

  private static Set<String> listed() throws IOException {
    return KEY.matcher(Files.readString(DOCUMENT))
        .results()
        .map(match -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void everyKeyIsSetByATest() throws IOException {
    StringBuilder tests = new StringBuilder();
    try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
        tests.append(Files.readString(file));
      }
    }
    assertThat(listed())
        .filteredOn(
            key -> !Pattern.compile(Pattern.quote(key) + "[\"=.,\\[]").matcher(tests).find())
        .isEmpty();
  }
}
