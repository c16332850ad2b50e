package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.console.internal.ConsoleRequestHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The pictures of the console in the documents, which {@code ./dev console} makes. */
class ConsolePicturesTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final long MOST_BYTES = 200_000;

  @Test
  void eachPageHasOneThatIsSmallAndDescribed() throws IOException {
    String document = Files.readString(DOCS.resolve("console.md"));
    for (String page : ConsoleRequestHandler.PATHS) {
      String picture = "images/console/" + page + ".png";
      assertThat(DOCS.resolve(picture)).as("make it with ./dev console --screenshots").exists();
      assertThat(Files.size(DOCS.resolve(picture))).as(picture).isLessThan(MOST_BYTES);
      assertThat(document).containsPattern("!\\[[^]]{20,}]\\(" + picture + "\\)");
    }
  }
}
