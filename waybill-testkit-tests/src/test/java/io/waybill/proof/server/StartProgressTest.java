package io.waybill.proof.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartProgressTest {
  private final AtomicLong now = new AtomicLong();

  @Test
  void aServerIsAwaitedAsLongAsItWrites(@TempDir Path folder) throws Exception {
    Path log = Files.createDirectory(folder.resolve("log")).resolve("server.log");
    StartProgress progress = new StartProgress(folder, now::get);
    for (long waited = 0; waited < StartProgress.STALL.toNanos() * 4; waited = step()) {
      assertThat(progress.isStalled()).isFalse();
      Files.writeString(log, "line\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
    assertThat(progress.isStalled()).isFalse();
    step();
    assertThat(progress.isStalled()).isFalse();
    step();
    assertThat(progress.isStalled()).isTrue();
  }

  @Test
  void aServerThatWritesForEverIsGivenUpInTheEnd(@TempDir Path folder) throws Exception {
    Path log = folder.resolve("server.log");
    StartProgress progress = new StartProgress(folder, now::get);
    for (long waited = 0; waited < StartProgress.MOST.toNanos(); waited = step()) {
      assertThat(progress.isStalled()).isFalse();
      Files.writeString(log, "line\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
    step();
    assertThat(progress.isStalled()).isTrue();
  }

  /** Two steps are longer than a server may write nothing. */
  private long step() {
    return now.addAndGet(StartProgress.STALL.toNanos() * 2 / 3);
  }
}
