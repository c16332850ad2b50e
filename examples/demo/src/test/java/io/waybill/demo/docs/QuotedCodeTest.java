package io.waybill.demo.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.server.relay.RelayRules;
import io.waybill.spring.internal.config.LoadedConfig;
import io.waybill.spring.internal.standalone.StandaloneOutboxes;
import io.waybill.spring.properties.WaybillProperties;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The documents quote code that is compiled and run, and configurations that are accepted. */
class QuotedCodeTest {
  private static final Path ROOT = Path.of("..", "..");
  private static final Path SOURCES =
      Path.of("src", "test", "java", "io", "waybill", "demo", "docs");
  private static final Pattern JAVA_BLOCK =
      Pattern.compile("(?:<!-- quote: ([^#]+)#(\\S+) -->\\n)?```java\\n(.*?)```", Pattern.DOTALL);
  private static final Pattern YAML_BLOCK = Pattern.compile("```yaml\\n(.*?)```", Pattern.DOTALL);
  private static final Map<String, String> SECRETS =
      Map.of("SHOP_DB_PASSWORD", "a", "RABBITMQ_PASSWORD", "b");

  @TempDir private Path folder;

  static Stream<Path> documents() {
    return Stream.of(
            "README.md",
            "docs/from-your-system.md",
            "docs/guide.md",
            "docs/inbox.md",
            "docs/mysql.md",
            "docs/operations.md",
            "docs/relay.md")
        .map(ROOT::resolve);
  }

  @ParameterizedTest
  @MethodSource("documents")
  void everyJavaBlockIsARegionOfASourceThatTestsRun(Path document) throws IOException {
    Matcher matcher = JAVA_BLOCK.matcher(Files.readString(document));
    List<MatchResult> blocks = matcher.results().toList();

    assertThat(blocks)
        .allSatisfy(
            block -> {
              assertThat(block.group(1)).as("source of %s", block.group(3)).isNotNull();
              assertThat(block.group(3)).isEqualTo(region(block.group(1), block.group(2)));
            });
  }

  @ParameterizedTest
  @MethodSource("documents")
  void everyYamlBlockIsAConfigurationThatTheRelayAccepts(Path document) throws IOException {
    List<String> blocks =
        YAML_BLOCK.matcher(Files.readString(document)).results().map(b -> b.group(1)).toList();

    for (String block : blocks) {
      Path file = Files.writeString(folder.resolve("waybill.yaml"), block);
      LoadedConfig<WaybillProperties> loaded = StandaloneOutboxes.loader().load(file, SECRETS);
      assertThat(StandaloneOutboxes.of(loaded, "relay")).as(block).isNotEmpty();
      RelayRules.check(loaded);
      assertThat(loaded.problems()).as(block).isEmpty();
    }
  }

  private static String region(String source, String name) {
    try {
      String text = Files.readString(SOURCES.resolve(source));
      Pattern region =
          Pattern.compile(
              "// quote:" + Pattern.quote(name) + "\\n(.*?)\\n *// quote:end", Pattern.DOTALL);
      Matcher matcher = region.matcher(text);
      assertThat(matcher.find()).as("region %s of %s", name, source).isTrue();
      return matcher.group(1).stripTrailing().stripIndent() + "\n";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
