package io.waybill.proof.server;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs in the folder for temporary files are run only if nobody else can have put them there.
 */
class MariaDbBinariesTest {
  @TempDir Path temporary;

  private Path home() throws IOException {
    return MariaDbBinaries.home(temporary, MariaDbBinaries.version());
  }

  private void assertRefused() {
    assertThatThrownBy(() -> MariaDbBinaries.unpacked(temporary))
        .isInstanceOf(UncheckedIOException.class)
        .cause()
        .hasMessageContainingAll("must be a folder of this user's alone", "remove it");
  }

  @Test
  void aFolderThatOthersMayWriteToIsNotRun() throws IOException {
    Path home = Files.createDirectory(home());
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertRefused();
  }

  @Test
  void aLinkIsNotFollowed() throws IOException {
    Path elsewhere = Files.createTempDirectory(temporary, "elsewhere");
    Files.createSymbolicLink(home(), elsewhere);
    assertRefused();
  }
}
