package io.waybill.proof.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FrozenTest {
  private static final int TIMES = 20;

  @Test
  void nothingOfAProcessRunsAfterItWasFrozen() throws IOException {
    List<Process> loops = new ArrayList<>();
    try {
      for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
        loops.add(new ProcessBuilder("sh", "-c", "while :; do :; done").start());
      }
      long pid = loops.get(0).pid();
      for (int i = 0; i < TIMES; i++) {
        Frozen.freeze(pid);
        assertThat(Frozen.standsStill(pid)).as("time %d", i).isTrue();
        Frozen.thaw(pid);
      }
    } finally {
      loops.forEach(Process::destroyForcibly);
    }
  }
}
