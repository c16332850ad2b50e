package io.waybill.spring.internal.config;

import static java.nio.file.attribute.PosixFilePermissions.fromString;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Secrets come from variables or from files of their own, and are printed nowhere. */
class SecretsTest {
  private static final String CANARY = "c4nary-s3cret";
  private static final String KEY = "waybill.outboxes.orders.database.password";
  private static final String YAML =
      Configs.MINIMAL.replace(
          "localhost:5432/shop\n", "localhost:5432/shop\n        password: ${SECRET}\n");

  @TempDir private Path folder;

  private LoadedConfig<RelayConfig> load(String yaml, Map<String, String> variables) {
    return Configs.load(folder, yaml, variables);
  }

  private static String password(LoadedConfig<RelayConfig> loaded) {
    return Objects.requireNonNull(
        Objects.requireNonNull(loaded.get().outboxes().get("orders")).database().password());
  }

  @Test
  void areMaskedInTheSettings() {
    LoadedConfig<RelayConfig> loaded = load(YAML, Map.of("SECRET", CANARY));

    assertThat(password(loaded)).isEqualTo(CANARY);
    assertThat(loaded.settings()).contains(new Setting(KEY, "***", "relay.yaml line 6"));
    assertThat(loaded.settings().toString()).doesNotContain(CANARY);
  }

  /** A secret that is referred to where none belongs is not printed either. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "  relay: {phase: '${SECRET}'}",
        "  relay: {grace-period: '${SECRET} '}",
        "  relay: {enabled: '${SECRET}', name: '${SECRET}!', pooler: 'a${SECRET}'}",
        "server: {port: '${SECRET}'}",
        "logging: {level: {root: '${SECRET}'}}"
      })
  void areMaskedInEveryException(String line) {
    LoadedConfig<RelayConfig> loaded = load(YAML + line + "\n", Map.of("SECRET", CANARY));

    assertThatThrownBy(loaded::get)
        .isInstanceOf(ConfigException.class)
        .satisfies(e -> assertThat(trace(e)).doesNotContain(CANARY).contains("${SECRET}"));
  }

  @Test
  void areMaskedInWhatARuleSays() {
    String yaml = YAML.replace("target: orders", "target: '${SECRET}{nope}'");

    assertThatThrownBy(() -> load(yaml, Map.of("SECRET", CANARY)).get())
        .hasMessageContaining("routes.default is wrong: \"${SECRET}{nope}\"")
        .satisfies(e -> assertThat(trace(e)).doesNotContain(CANARY));
  }

  @Test
  void areMaskedInWhatARecordSays() {
    String yaml = YAML + "      bindings: [{exchange: '${SECRET}'}]\n";

    assertThatThrownBy(() -> load(yaml, Map.of("SECRET", CANARY)).get())
        .hasMessageContaining("bindings[0] is wrong: a binding from ${SECRET} must name a queue")
        .satisfies(e -> assertThat(trace(e)).doesNotContain(CANARY));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql://user:" + CANARY + "@localhost/shop",
        "jdbc:postgresql://localhost/shop?password=" + CANARY,
        "jdbc:postgresql://localhost/shop?user=a&password=" + CANARY + "&bad",
        "jdbc:mysql://user:" + CANARY + "@localhost/shop"
      })
  void areMaskedInAnAddressThatIsRefusedForThem(String url) {
    String yaml = YAML.replace("jdbc:postgresql://localhost:5432/shop", "\"" + url + "\"");
    LoadedConfig<RelayConfig> loaded = load(yaml, Map.of("SECRET", "xyz"));
    loaded.problem("waybill.outboxes.orders.database.url", "must have keys of their own", url);

    assertThatThrownBy(loaded::get)
        .hasMessageContaining("***")
        .satisfies(e -> assertThat(trace(e)).doesNotContain(CANARY));
    assertThat(loaded.settings().toString()).doesNotContain(CANARY);
  }

  @Test
  void areRefusedAndMaskedWhenWrittenInTheFileItself() {
    assertThatThrownBy(() -> load(YAML.replace("${SECRET}", CANARY), Map.of()).get())
        .hasMessageContaining(
            KEY
                + " is a secret, which must not stand in this file: write ${NAME}, set"
                + " WAYBILL_OUTBOXES_ORDERS_DATABASE_PASSWORD, or import it with configtree:, but"
                + " is '***' (relay.yaml line 6)")
        .satisfies(e -> assertThat(trace(e)).doesNotContain(CANARY));
  }

  /** A placeholder for another key of the same file hides nothing. */
  @ParameterizedTest
  @ValueSource(strings = {"${mine}", "${OTHER:" + CANARY + "}", "${OTHER:${mine}}"})
  void areRefusedBehindAPlaceholderInTheFileItself(String written) {
    String yaml = YAML.replace("${SECRET}", "'" + written + "'") + "mine: " + CANARY + "\n";

    assertThatThrownBy(() -> load(yaml, Map.of()).get())
        .hasMessageContaining(KEY + " is a secret")
        .satisfies(e -> assertThat(trace(e)).doesNotContain(CANARY));
  }

  @Test
  void areNoEmptyTexts() {
    assertThat(load(YAML, Map.of("SECRET", "")).problems())
        .containsExactly(new Problem(KEY, "must not be empty", "", "relay.yaml line 6"));
  }

  @Test
  void comeFromAVariableOfTheirOwn() {
    LoadedConfig<RelayConfig> loaded =
        load(Configs.MINIMAL, Map.of("WAYBILL_OUTBOXES_ORDERS_DATABASE_PASSWORD", CANARY));

    assertThat(password(loaded)).isEqualTo(CANARY);
    assertThat(loaded.settings())
        .contains(new Setting(KEY, "***", "WAYBILL_OUTBOXES_ORDERS_DATABASE_PASSWORD"));
  }

  /** As Kubernetes mounts them: readable by all, behind two links. */
  @Test
  void comeFromAFolderAsContainersHaveIt() throws IOException {
    Path data = Files.createDirectory(folder.resolve("..2026"));
    Path secret = Files.writeString(data.resolve(KEY), "a${B}$${c\\\n");
    Files.setPosixFilePermissions(secret, fromString("r--r--r--"));
    Path mounted = Files.createDirectory(folder.resolve("secrets"));
    Files.createSymbolicLink(mounted.resolve("..data"), data);
    Files.createSymbolicLink(mounted.resolve(KEY), mounted.resolve("..data").resolve(KEY));
    String yaml = Configs.MINIMAL + imports("configtree:" + mounted + "/");

    LoadedConfig<RelayConfig> loaded = load(yaml, Map.of());

    assertThat(password(loaded)).isEqualTo("a${B}$${c\\");
    assertThat(loaded.settings())
        .contains(new Setting(KEY, "***", mounted.resolve(KEY).toString()));
  }

  /** As Docker mounts them, under names of its own. */
  @Test
  void ofAFolderMayHaveAnyName() throws IOException {
    Path mounted = Files.createDirectory(folder.resolve("secrets"));
    Files.writeString(mounted.resolve("db_password"), "a${B}\n");
    Files.writeString(mounted.resolve("another"), "x");
    String yaml =
        YAML.replace("${SECRET}", "${db_password}") + imports("configtree:" + mounted + "/");

    assertThat(password(load(yaml, Map.of()))).isEqualTo("a${B}");
  }

  @Test
  void ofAFolderAreCheckedByTheirNames() throws IOException {
    Path mounted = Files.createDirectory(folder.resolve("secrets"));
    Files.writeString(mounted.resolve("waybill.outboxes.orders.database.pasword"), CANARY);
    String yaml = Configs.MINIMAL + imports("configtree:" + mounted + "/");

    assertThat(load(yaml, Map.of()).problems())
        .containsExactly(
            new Problem(
                "waybill.outboxes.orders.database.pasword",
                "is not a known key; did you mean 'password'?",
                "",
                mounted + "/waybill.outboxes.orders.database.pasword"));
  }

  @Test
  void comeFromAFileThatIsImported() {
    Configs.write(folder, "secrets.yaml", KEY + ": " + CANARY + "\nSECRET: x\n");

    LoadedConfig<RelayConfig> loaded = load(YAML + imports("secrets.yaml"), Map.of());

    assertThat(password(loaded)).isEqualTo(CANARY);
    assertThat(loaded.settings()).contains(new Setting(KEY, "***", "secrets.yaml line 1"));
  }

  private static String imports(String location) {
    return "spring: {config: {import: '" + location + "'}}\n";
  }

  private static String trace(Throwable thrown) {
    StringWriter out = new StringWriter();
    thrown.printStackTrace(new PrintWriter(out, true));
    return out.toString();
  }
}
