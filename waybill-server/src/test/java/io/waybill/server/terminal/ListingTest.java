package io.waybill.server.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ListingTest {
  @Test
  void columnsStandBelowEachOtherWhateverTheCharactersWidth() {
    String table =
        new Listing(0).table(List.of(row("id", "注文", "n", 1), row("id", "order", "n", 2)));

    // The two characters take four columns.
    assertThat(table).isEqualTo("id     n\n注文   1\norder  2\n");
  }

  @Test
  void whatDoesNotFitIsABlockForEachRow() {
    List<Map<String, @Nullable Object>> rows =
        List.of(row("id", "a", "said", "word ".repeat(12).strip()), row("id", "b", "said", null));

    assertThat(new Listing(0).table(rows)).hasLineCount(3);
    assertThat(new Listing(40).table(rows).lines()).allMatch(line -> line.length() <= 40);
    assertThat(new Listing(40).table(rows))
        .startsWith("id    a\nsaid  word word word word word word\n      word word")
        .endsWith("\n\nid    b\nsaid  -\n");
  }

  @Test
  void aWordThatIsLongerThanTheWidthIsWhole() {
    String word = "x".repeat(100);
    String block = new Listing(40).blocks(List.of(row("id", word)));

    assertThat(block.lines()).allMatch(line -> line.length() <= 40);
    assertThat(block.replaceAll("\\s", "")).isEqualTo("id" + word);
  }

  @Test
  void columnsWithoutAnythingAreLeftOut() {
    assertThat(new Listing(0).table(List.of(row("id", "a", "none", null, "empty", List.of()))))
        .isEqualTo("id\na\n");
  }

  @Test
  void foreignTextStaysAsItIsAndDrivesNothing() {
    String said = "@|bold,red %d x|@ \u001b[2J\nline";
    assertThat(new Listing(0).table(List.of(row("said", said))))
        .isEqualTo("said\n@|bold,red %d x|@ \\u001b[2J line\n");
  }

  private static Map<String, @Nullable Object> row(@Nullable Object... pairs) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      row.put(String.valueOf(pairs[i]), pairs[i + 1]);
    }
    return row;
  }
}
