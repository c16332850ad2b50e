package io.waybill.examples.polyshop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("long")
class ToolsTest {
  private static final String INBOX = "@waybill/inbox";

  private static JsonNode read(String file) throws IOException {
    return JsonMapper.builder()
        .build()
        .readTree(Files.readString(Tools.paymentService().resolve(file)));
  }

  @Test
  void aMissingProgramIsNamedWithItsPackage() {
    assertThatThrownBy(() -> Tools.required("no-such-program", "its-package"))
        .isInstanceOf(MissingToolException.class)
        .hasMessage("needs no-such-program and found none: install the package its-package");
  }

  @Test
  void librariesArePinnedAndTheLockFileNamesNoRegistry() throws IOException {
    assertThat(read("package.json").path("dependencies").properties())
        .isNotEmpty()
        .filteredOn(library -> !library.getKey().equals(INBOX))
        .allSatisfy(
            library -> assertThat(library.getValue().asString()).matches("\\d+\\.\\d+\\.\\d+"));
    JsonNode packages = read("package-lock.json").path("packages");
    assertThat(packages.size()).isGreaterThan(5);
    assertThat(packages.properties())
        .filteredOn(entry -> entry.getKey().startsWith("node_modules/"))
        .filteredOn(entry -> !entry.getKey().equals("node_modules/" + INBOX))
        .allSatisfy(
            entry -> {
              assertThat(entry.getValue().has("resolved")).as(entry.getKey()).isFalse();
              assertThat(entry.getValue().has("integrity")).as(entry.getKey()).isTrue();
            });
    assertThat(packages.path("node_modules/" + INBOX).path("resolved").asString(""))
        .isEqualTo("../../../clients/node");
  }
}
