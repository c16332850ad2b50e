package io.waybill.server.config;

import static java.nio.file.attribute.PosixFilePermissions.fromString;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Secrets come from the environment or files and are printed nowhere. */
class SecretsTest {
  private static final String CANARY = "c4nary-s3cret";
  private static final String YAML =
      Configs.MINIMAL.replace(
          "localhost:5432/shop\n", "localhost:5432/shop\n      password: ${SECRET}\n");

  @TempDir private Path folder;

  @Test
  void areMaskedInTheRecordsAndInTheSettings() {
    LoadedConfig loaded = Configs.load(YAML, Map.of("SECRET", CANARY));

    assertThat(loaded.config().outboxes().get(0).database().password())
        .isEqualTo(new Secret(CANARY));
    assertThat(loaded.toString()).contains("***").doesNotContain(CANARY);
    assertThat(loaded.settings())
        .contains(new Setting("outboxes.orders.database.password", "***", "line 5"));
  }

  /** A secret that is referred to where none belongs is not printed either. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "http: {port: '${SECRET}'}",
        "http: {host: '${SECRET} '}",
        "logging: {format: '${SECRET}'}",
        "relay: {grace-period: '${SECRET}', name: '${SECRET}!'}"
      })
  void areMaskedInEveryException(String line) {
    assertThatThrownBy(() -> Configs.load(YAML + line + "\n", Map.of("SECRET", CANARY)))
        .isInstanceOf(ConfigException.class)
        .satisfies(e -> assertThat(trace(e)).doesNotContain(CANARY).contains("${SECRET}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql://user:" + CANARY + "@localhost/shop",
        "jdbc:postgresql://localhost/shop?password=" + CANARY,
        "jdbc:postgresql://localhost/shop?user=a&password=" + CANARY + "&bad",
        "jdbc:mysql://user:" + CANARY + "@localhost/shop"
      })
  void areMaskedInAUrlThatIsRefusedForThem(String url) {
    String yaml = YAML.replace("jdbc:postgresql://localhost:5432/shop", "\"" + url + "\"");

    assertThatThrownBy(() -> Configs.load(yaml, Map.of("SECRET", "x")))
        .isInstanceOf(ConfigException.class)
        .satisfies(e -> assertThat(trace(e)).doesNotContain(CANARY));
  }

  @Test
  void areRefusedAndMaskedWhenWrittenInTheFileItself() {
    assertThatThrownBy(() -> Configs.load(YAML.replace("${SECRET}", CANARY)))
        .isInstanceOf(ConfigException.class)
        .satisfies(e -> assertThat(trace(e)).doesNotContain(CANARY));
  }

  @Test
  void comeFromAFileWithoutItsLineEnd() throws IOException {
    Path file = secret("rw-r-----", CANARY + "\n");

    assertThat(load(file).config().outboxes().get(0).database().password())
        .isEqualTo(new Secret(CANARY));
  }

  @Test
  void ofAFileAreTakenAsTheyAre() throws IOException {
    Path file = secret("rw-------", "a${B}$${c");

    assertThat(load(file).config().outboxes().get(0).database().password())
        .isEqualTo(new Secret("a${B}$${c"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r--r--", "rw-rw----", "rw-----w-", "rwxrwxrwx"})
  void areRefusedFromAFileThatOthersMayReadOrChange(String mode) throws IOException {
    Path file = secret(mode, CANARY);

    assertThatThrownBy(() -> load(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("outboxes.orders.database.password")
        .hasMessageContaining("chmod 0440 " + file)
        .satisfies(e -> assertThat(trace(e)).doesNotContain(CANARY));
  }

  private LoadedConfig load(Path file) {
    return Configs.load(YAML.replace("${SECRET}", "${file:" + file + "}"));
  }

  private Path secret(String mode, String text) throws IOException {
    Path file = Files.writeString(folder.resolve("secret"), text);
    return Files.setPosixFilePermissions(file, fromString(mode));
  }

  private static String trace(Throwable thrown) {
    StringWriter out = new StringWriter();
    thrown.printStackTrace(new PrintWriter(out, true));
    return out.toString();
  }
}
