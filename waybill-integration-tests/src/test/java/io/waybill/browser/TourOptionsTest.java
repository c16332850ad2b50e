package io.waybill.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.browser.TourOptions.Part;
import io.waybill.database.DatabaseKind;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TourOptionsTest {
  @Test
  void everyOptionIsTaken() {
    assertThat(
            TourOptions.parse("--only", "pages,kafka", "--fault", "relay", "--keep", "/tmp/seen"))
        .isEqualTo(
            new TourOptions(
                Set.of(Part.PAGES, Part.KAFKA),
                "relay",
                Optional.empty(),
                Path.of("/tmp/seen"),
                Optional.empty()));
    assertThat(TourOptions.parse().parts()).containsExactlyInAnyOrder(Part.values());
    TourOptions pictures = TourOptions.parse("--screenshots", "docs/images");
    assertThat(pictures.screenshots()).contains(Path.of("docs/images"));
    assertThat(pictures.parts()).as("nothing else").isEmpty();
    TourOptions scale =
        TourOptions.parse("--minutes", "3", "--events", "500000", "--scale", "mariadb");
    assertThat(scale.scale())
        .contains(
            new ScaleOptions(
                Optional.of(DatabaseKind.MARIADB), Optional.of(500_000L), Optional.empty(), 3));
    assertThat(scale.parts()).as("nothing else").isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "--only page, --only must be of pages",
    "--only, --only needs a value",
    "--fast, unknown option --fast",
    "--scale mysql, '--scale must be postgresql or mariadb, is ''mysql'''",
    "--scale mariadb --events few, --events must be a number from 200000",
    "--scale mariadb --data /nowhere, --data must be a folder",
    "--scale mariadb --data /tmp --events 200000, --data and --events exclude each other",
    "--minutes 3, need --scale"
  })
  void whatCannotBeIsRefused(String options, String why) {
    String[] words = options.split(" ", -1);
    assertThatThrownBy(() -> TourOptions.parse(words))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream printed = new PrintStream(err, true, StandardCharsets.UTF_8);
    assertThat(ConsoleTour.run(words, printed, printed)).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("usage: console", why);
  }
}
