package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.database.DatabaseKind;
import io.waybill.database.SideNames;
import io.waybill.jdbc.TableSchema;
import io.waybill.layout.Layouts;
import io.waybill.proof.system.DocumentedSystem;
import io.waybill.proof.system.DocumentedSystem.Fact;
import io.waybill.proof.system.DocumentedSystem.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The page for teams with an outbox of their own has every word of their documents, and no other.
 */
class FromYourSystemTest {
  private static final Path PAGE = Path.of("../docs/from-your-system.md");
  private static final String HEAD = "| there | it is | here |";
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  /** A word of a document, or several, and what becomes of it. */
  private record Row(String words, String verdict, String here) {
    private static Row of(String line) {
      String[] cells = line.split("\\|", -1);
      assertThat(cells).as(line).hasSize(5);
      return new Row(cells[1].strip(), cells[2].strip(), cells[3].strip());
    }

    /** Whether it has a fact's name as code, as an item of a list, or within words. */
    private boolean has(Fact fact) {
      String text = fact.kind().equals("column") ? fact.name() + " " + fact.says() : fact.name();
      return text.contains(" ")
          ? Pattern.compile("(?<![\\w.])" + Pattern.quote(text) + "(?!\\w)")
              .matcher(words.replace("`", ""))
              .find()
          : CODE.matcher(words).results().anyMatch(found -> found.group(1).equals(text))
              || List.of(words.split(", ", -1)).contains(text);
    }
  }

  static List<DocumentedSystem> systems() {
    return DocumentedSystem.all();
  }

  private static List<Row> rows(DocumentedSystem system) throws IOException {
    String page = Files.readString(PAGE);
    int start = page.indexOf("\n## " + system.heading() + "\n");
    assertThat(start).as(system.heading()).isPositive();
    int end = page.indexOf("\n## ", start + 1);
    List<Row> rows = new ArrayList<>();
    boolean inTable = false;
    for (String line : page.substring(start, end < 0 ? page.length() : end).split("\n", -1)) {
      if (line.equals(HEAD)) {
        inTable = true;
      } else if (!line.startsWith("|")) {
        inTable = false;
      } else if (inTable && !line.startsWith("|---")) {
        rows.add(Row.of(line));
      }
    }
    assertThat(rows).hasSizeGreaterThan(40);
    return rows;
  }

  @ParameterizedTest
  @MethodSource("systems")
  void everyWordOfADocumentHasARow(DocumentedSystem system) throws IOException {
    List<Row> rows = rows(system);
    assertThat(system.facts())
        .filteredOn(fact -> rows.stream().noneMatch(row -> row.has(fact)))
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("systems")
  void everyRowIsAboutAWordOfItsDocument(DocumentedSystem system) throws IOException {
    assertThat(rows(system))
        .filteredOn(row -> system.facts().stream().noneMatch(row::has))
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("systems")
  void everyRowSaysWhatBecameOfItAndWhy(DocumentedSystem system) throws IOException {
    assertThat(rows(system))
        .allSatisfy(
            row -> {
              assertThat(row.verdict()).isIn("same", "changed", "not there");
              assertThat(row.verdict().equals("same") || !row.here().isEmpty())
                  .as("%s has a reason", row)
                  .isTrue();
            });
  }

  /** Scripts are held to the documents, so nothing else can be right here. */
  @ParameterizedTest
  @MethodSource("systems")
  void columnsKeysAndIndexesAreTheSame(DocumentedSystem system) throws IOException {
    List<Kind> kinds =
        List.of(
            Kind.TABLE,
            Kind.COLUMN,
            Kind.PRIMARY_KEY,
            Kind.UNIQUE_KEY,
            Kind.INDEX,
            Kind.POSTGRES_INDEX,
            Kind.WORD,
            Kind.QUEUE,
            Kind.EXCHANGE,
            Kind.DESTINATION,
            Kind.TOPIC,
            Kind.FIELD,
            Kind.PROPERTY,
            Kind.PACE);
    List<Fact> facts = kinds.stream().flatMap(kind -> system.facts(kind).stream()).toList();
    assertThat(rows(system).stream().filter(row -> facts.stream().anyMatch(row::has)))
        .extracting(Row::verdict)
        .containsOnly("same");
  }

  @Test
  void viewsAreTheSameIfMySqlMergesThem() throws IOException {
    DocumentedSystem system = DocumentedSystem.of("event-outbox");
    String scripts =
        TableSchema.of(
                Layouts.EVENT_OUTBOX, DatabaseKind.MYSQL, SideNames.of(Layouts.EVENT_OUTBOX), 1)
            .printViews()
            .replace("`", "");
    for (Fact view : system.facts(Kind.VIEW)) {
      Row row = rows(system).stream().filter(each -> each.has(view)).findFirst().orElseThrow();
      assertThat(scripts).contains("sql security invoker view " + view.name() + " as");
      assertThat(row.verdict().equals("same"))
          .as(view.name())
          .isEqualTo(
              scripts.contains("algorithm = merge sql security invoker view " + view.name()));
    }
  }
}
