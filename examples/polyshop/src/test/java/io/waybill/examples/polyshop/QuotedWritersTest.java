package io.waybill.examples.polyshop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * What the guide shows in other languages is a part of the files that {@link ServicesTest} runs.
 */
class QuotedWritersTest {
  private static final Pattern BLOCK =
      Pattern.compile(
          "(?:<!-- quote: ([^#]+)#(\\S+) -->\\n)?```(js|python)\\n(.*?)```", Pattern.DOTALL);

  @Test
  void everyBlockIsARegionOfASourceThatTestsRun() throws IOException {
    String guide = Files.readString(Tools.folder().resolve("../../docs/guide.md"));
    List<MatchResult> blocks = BLOCK.matcher(guide).results().toList();

    assertThat(blocks).extracting(block -> block.group(3)).containsExactly("js", "python");
    assertThat(blocks)
        .allSatisfy(
            block -> {
              assertThat(block.group(1)).as("source of %s", block.group(4)).isNotNull();
              assertThat(block.group(4)).isEqualTo(region(block.group(1), block.group(2)));
            });
  }

  private static String region(String source, String name) {
    try {
      String text = Files.readString(Tools.folder().resolve(source));
      Pattern region =
          Pattern.compile(
              "(?://|#) quote:" + Pattern.quote(name) + "\\n(.*?)\\n *(?://|#) quote:end",
              Pattern.DOTALL);
      Matcher matcher = region.matcher(text);
      assertThat(matcher.find()).as("region %s of %s", name, source).isTrue();
      return matcher.group(1) + "\n";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
