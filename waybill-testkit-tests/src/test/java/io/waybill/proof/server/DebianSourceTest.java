package io.waybill.proof.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DebianSourceTest {
  private static final String LISTS =
      """
      'http://else.example/dists/bookworm/InRelease' else.example_dists_bookworm_InRelease 0\s
      'http://deb.example/debian/dists/bookworm/InRelease' deb.example_debian_InRelease 0\s
      'http://deb.example/debian/dists/bookworm-updates/InRelease' deb.example_updates 0\s
      'http://deb.example/debian/dists/bookworm/main/binary-amd64/Packages.xz' deb.example 0\s
      """;

  @Test
  void theMirrorOfTheMachineIsTaken() throws IOException {
    DebianSource source = DebianSource.in(LISTS.lines());

    assertThat(source).isEqualTo(new DebianSource("http://deb.example/debian", "bookworm"));
    assertThat(source.line("sid"))
        .startsWith("deb [signed-by=/usr/share/keyrings/")
        .endsWith(".gpg] http://deb.example/debian sid main\n");
  }

  @Test
  void aMachineWithoutDebiansArchiveSaysSo() {
    assertThatThrownBy(() -> DebianSource.in(Stream.of("'http://x.example/Packages' x 0")))
        .isInstanceOf(IOException.class)
        .hasMessage("the sources of apt name no release of Debian");
  }
}
