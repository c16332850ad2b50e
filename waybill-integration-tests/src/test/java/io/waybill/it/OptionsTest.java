package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.ConsumerBuilder;
import io.waybill.RelayBuilder;
import io.waybill.inbox.InboxBuilder;
import io.waybill.spring.properties.OutboxProperties;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Every option of every door has a row in the page that compares them. */
class OptionsTest {
  private static final Path PAGE = Path.of("../docs/options.md");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final String NONE = "—";
  // Components of several outboxes' keys that the short keys of one have as well.
  private static final List<String> SINGLE =
      List.of(
          "data-source",
          "schema",
          "layout",
          "columns",
          "order",
          "record",
          "table",
          "side-tables",
          "time-range",
          "on-published",
          "retention",
          "listen",
          "broker",
          "kafka",
          "rabbitmq",
          "routes",
          "failure",
          "retry",
          "poll",
          "limits");

  /** A row: the option, its method, its key, and why one of them is missing. */
  private record Row(String option, String java, String key, String reason) {}

  private static List<Row> rows() throws IOException {
    try (Stream<String> lines = Files.lines(PAGE)) {
      return lines
          .filter(line -> line.startsWith("| ") && !line.startsWith("| option "))
          .map(line -> line.split("\\|", -1))
          .map(cell -> new Row(cell[1].trim(), cell[2].trim(), cell[3].trim(), cell[4].trim()))
          .toList();
    }
  }

  private static List<String> code(String cell) {
    return CODE.matcher(cell).results().map(found -> found.group(1)).toList();
  }

  @Test
  void everyMethodOfABuilderHasARow() throws IOException {
    List<String> methods =
        rows().stream()
            .flatMap(row -> code(row.java()).stream())
            .map(text -> text.replaceAll("\\(.*", ""))
            .toList();
    List<String> missing =
        Stream.of(RelayBuilder.class, ConsumerBuilder.class, InboxBuilder.class)
            .flatMap(
                builder ->
                    Stream.of(builder.getDeclaredMethods())
                        .filter(method -> Modifier.isPublic(method.getModifiers()))
                        .filter(method -> method.getReturnType().isAssignableFrom(builder)))
            .map(method -> method.getName())
            .filter(name -> !methods.contains(name))
            .distinct()
            .toList();
    assertThat(missing).isEmpty();
  }

  @Test
  void everyKeyHasARow() throws IOException {
    List<String> named = rows().stream().flatMap(row -> code(row.key()).stream()).toList();
    assertThat(keys()).filteredOn(key -> !isNamed(key, named)).isEmpty();
  }

  private static boolean isNamed(String key, List<String> named) {
    return named.stream()
        .anyMatch(
            name ->
                name.endsWith(".*")
                    ? key.startsWith(name.substring(0, name.length() - 1))
                    : key.equals(name));
  }

  @Test
  void everyRowNamesSomethingThatExists() throws IOException {
    List<String> keys = keys();
    for (Row row : rows()) {
      for (String name : code(row.key())) {
        assertThat(keys).as(row.option()).anyMatch(key -> isNamed(key, List.of(name)));
      }
    }
  }

  @Test
  void whatADoorHasNotIsExplained() throws IOException {
    assertThat(rows())
        .hasSizeGreaterThan(50)
        .allSatisfy(
            row ->
                assertThat(row.reason().isEmpty())
                    .as(row.option())
                    .isNotEqualTo(row.java().equals(NONE) || row.key().equals(NONE)));
  }

  /** All others are those of a single outbox, below waybill or waybill.outbox. */
  private static boolean isOfSeveralAlone(String key) {
    return !SINGLE.contains(key.substring(key.lastIndexOf('.') + 1));
  }

  private static String kebab(String name) {
    return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  private static List<String> keys() throws IOException {
    List<String> keys = new ArrayList<>();
    ClassLoader loader = OptionsTest.class.getClassLoader();
    for (URL file :
        Collections.list(loader.getResources("META-INF/spring-configuration-metadata.json"))) {
      try (InputStream in = file.openStream()) {
        for (JsonNode property : new ObjectMapper().readTree(in).get("properties")) {
          String name = property.get("name").asString();
          if (name.startsWith("waybill.")) {
            keys.add(name);
          }
        }
      }
    }
    assertThat(keys).hasSizeGreaterThan(100);
    // The metadata stops at maps.
    Stream.of(OutboxProperties.class.getRecordComponents())
        .map(each -> "waybill.outboxes.NAME." + kebab(each.getName()))
        .filter(OptionsTest::isOfSeveralAlone)
        .forEach(keys::add);
    return keys;
  }
}
