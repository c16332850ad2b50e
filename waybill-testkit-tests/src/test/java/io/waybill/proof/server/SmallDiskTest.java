package io.waybill.proof.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Needs the right to mount, without which there is nothing to test. */
@Tag("server")
class SmallDiskTest {
  @BeforeAll
  static void mayMount() {
    try (SmallDisk disk = SmallDisk.mount()) {
      assertThat(disk.folder()).isDirectory();
    } catch (IOException e) {
      Assumptions.abort("cannot mount: " + e.getMessage());
    }
  }

  @Test
  void isFullAndHasRoomAgain() throws IOException {
    Path folder;
    try (SmallDisk disk = SmallDisk.mount()) {
      folder = disk.folder();
      Files.write(folder.resolve("before"), new byte[10_000]);
      disk.fill();
      assertThatThrownBy(() -> Files.write(folder.resolve("during"), new byte[100_000]))
          .isInstanceOf(IOException.class);
      disk.free();
      Files.write(folder.resolve("after"), new byte[100_000]);
      assertThat(folder.resolve("before")).hasSize(10_000);
    }
    assertThat(folder.getParent()).doesNotExist();
    assertThat(Files.readString(Path.of("/proc/mounts"))).doesNotContain(folder.toString());
  }
}
