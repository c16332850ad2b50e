package io.waybill.demo.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever copies code out of a page finds on it what to import, and which version it is of. */
class NamedImportsTest {
  private static final Path ROOT = Path.of("..", "..");
  private static final Pattern BLOCK =
      Pattern.compile(
          "<!-- quote: (?:\\S*/)?([^/#]+\\.java)#\\S+ -->\\n```java\\n(.*?)```", Pattern.DOTALL);
  private static final Pattern IMPORT =
      Pattern.compile("^import (io\\.waybill\\.[a-z.]+)\\.([A-Z]\\w*);$", Pattern.MULTILINE);

  @ParameterizedTest
  @ValueSource(strings = {"README.md", "docs/guide.md", "docs/spring-boot.md"})
  void everyTypeOfWaybillsInTheCodeIsNamedWithItsPackage(String page) throws IOException {
    String text = Files.readString(ROOT.resolve(page));
    Matcher block = BLOCK.matcher(text);
    while (block.find()) {
      Matcher used = IMPORT.matcher(source(block.group(1)));
      while (used.find()) {
        if (Pattern.compile("\\b" + used.group(2) + "\\b").matcher(block.group(2)).find()) {
          assertThat(names(text, used.group(1), used.group(2))).as(used.group()).isTrue();
        }
      }
    }
  }

  /** In full, or in a row of a table that has its package. */
  private static boolean names(String page, String packageName, String type) {
    return page.contains("`" + packageName + "." + type + "`")
        || page.lines()
            .anyMatch(
                row -> row.contains("`" + packageName + "` |") && row.contains("`" + type + "`"));
  }

  @Test
  void theVersionsOfThePomsAreThoseOfTheBuild() throws IOException {
    String build = Files.readString(ROOT.resolve("pom.xml"));
    String guide = Files.readString(ROOT.resolve("docs/guide.md"));
    assertThat(guide)
        .contains(version(build, "postgresql.version"), version(build, "logback.version"));
    assertThat(Files.readString(ROOT.resolve("docs/spring-boot.md")))
        .contains(
            version(
                Files.readString(ROOT.resolve("waybill-spring-parent/pom.xml")),
                "spring.boot.version"));
  }

  private static String version(String build, String property) {
    Matcher matcher = Pattern.compile("<" + property + ">(.*?)</" + property + ">").matcher(build);
    assertThat(matcher.find()).as(property).isTrue();
    return "<version>" + matcher.group(1) + "</version>";
  }

  private static String source(String name) {
    List<Path> folders =
        Stream.of("examples", "waybill-spring-boot-starter/src/test").map(ROOT::resolve).toList();
    for (Path folder : folders) {
      try (Stream<Path> files = Files.walk(folder)) {
        List<Path> named = files.filter(path -> path.endsWith(name)).toList();
        for (Path path : named) {
          String text = Files.readString(path);
          if (text.contains("// quote:")) {
            return text;
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    throw new AssertionError("no source " + name);
  }
}
