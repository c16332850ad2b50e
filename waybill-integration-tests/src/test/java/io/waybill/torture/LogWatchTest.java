package io.waybill.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogWatchTest {
  @TempDir private Path folder;

  private Path log() {
    return folder.resolve("relay-1.out");
  }

  private void write(String text) throws IOException {
    Files.writeString(log(), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  @Test
  void errorLinesAreFoundOnceEach() throws IOException {
    LogWatch watch = new LogWatch(List.of(log()), Set.of("secret"));
    watch.read();
    write("2026-11-21T22:00:00.000Z ERROR [relay] Engine - broken\nnot an ERROR here\n");
    watch.read();
    write("2026-11-21T22:00:01.000Z INFO  [relay] Engine - fine\n2026-11-21T22:00:02.000Z ERR");
    watch.read();
    write("OR [relay] Engine - cut\n");
    watch.read();
    watch.read();

    assertThat(watch.errors().stream().map(LogWatch.ErrorLine::line))
        .containsExactly(
            "2026-11-21T22:00:00.000Z ERROR [relay] Engine - broken",
            "2026-11-21T22:00:02.000Z ERROR [relay] Engine - cut");
    assertThat(watch.leaks()).isEmpty();
  }

  @Test
  void aSecretIsFoundEvenWhenItArrivesInPieces() throws IOException {
    LogWatch watch = new LogWatch(List.of(log()), Set.of("canary-1", "canary-2"));
    write("a line with can");
    watch.read();
    write("ary-1 in it\n");
    watch.read();

    assertThat(watch.leaks()).containsExactly("relay-1.out has canary-1");
  }
}
