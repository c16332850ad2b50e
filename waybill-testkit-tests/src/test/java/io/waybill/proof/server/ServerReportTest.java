package io.waybill.proof.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

@ResourceLock(Resources.SYSTEM_PROPERTIES)
class ServerReportTest {
  @TempDir private Path folder;
  private final String before = System.getProperty(ServerReport.PROPERTY, "");

  @BeforeEach
  void writeHere() {
    System.setProperty(ServerReport.PROPERTY, folder.resolve("servers").toString());
  }

  @AfterEach
  void restore() {
    System.setProperty(ServerReport.PROPERTY, before);
  }

  @Test
  void whatIsUsedAndWhatIsLeftOutIsWrittenOnce() throws IOException {
    ServerReport.used("Example", "9.1");
    ServerReport.used("Example", "9.1");
    ServerReport.leftOut("Sample", "no network\nat all");

    assertThat(folder.resolve("servers"))
        .hasContent("USED: Example 9.1\nLEFT OUT: Sample: no network");
    assertThat(ServerReport.reason("Sample")).contains("no network");
    assertThat(ServerReport.reason("Example")).isEmpty();
  }

  @Test
  void whatAnotherProcessFoundOutIsNotTriedAgain() throws IOException {
    assertThat(ServerReport.reason("Foreign")).isEmpty();
    Files.writeString(folder.resolve("servers"), "LEFT OUT: Foreign: no apt\n");

    assertThat(ServerReport.reason("Foreign")).contains("no apt");
  }
}
