package io.waybill.proof.system;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A system with an outbox of its own, and every word of its document.
 *
 * @param layout name of its table's layout
 * @param heading its section of the page for teams that come from it
 * @param exact whether its document names every default and every index, so that there are no
 *     others
 * @param facts the words, in the order of the document
 */
public record DocumentedSystem(String layout, String heading, boolean exact, List<Fact> facts) {
  private static final List<String> LAYOUTS =
      List.of("notification", "event-outbox", "wallet", "polyshop");
  private static final String SEPARATOR = " | ";

  /**
   * A word of a document.
   *
   * @param place document, section and line
   * @param kind what it is, for example {@code column}
   * @param name as the page has it, for example {@code outbox.sent}
   * @param says what tests read of it, for example the type of a column; empty if nothing
   */
  public record Fact(String place, String kind, String name, String says) {
    private static Fact of(String line) {
      String[] parts = line.split(" [|] ?", -1);
      if (parts.length != 4) {
        throw new IllegalArgumentException("A fact has four parts, but this has others: " + line);
      }
      return new Fact(parts[0], parts[1], parts[2], parts[3]);
    }
  }

  /**
   * All of them.
   *
   * @return the four systems
   */
  public static List<DocumentedSystem> all() {
    return LAYOUTS.stream().map(DocumentedSystem::of).toList();
  }

  /**
   * The one whose table has this layout.
   *
   * @param layout name of the layout
   * @return the system
   */
  public static DocumentedSystem of(String layout) {
    Map<String, String> head = new HashMap<>();
    List<Fact> facts = new ArrayList<>();
    for (String line : lines(layout + ".facts")) {
      if (line.contains(SEPARATOR)) {
        facts.add(Fact.of(line));
      } else {
        String[] setting = line.split(": ", 2);
        head.put(setting[0], setting[1]);
      }
    }
    return new DocumentedSystem(
        layout,
        Objects.requireNonNull(head.get("heading"), layout),
        head.containsKey("names every default and index"),
        List.copyOf(facts));
  }

  private static List<String> lines(String file) {
    try (InputStream in = DocumentedSystem.class.getResourceAsStream(file)) {
      Objects.requireNonNull(in, file);
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(file, e);
    }
  }

  /**
   * The facts of a kind.
   *
   * @param kind the kind
   * @return facts in the order of the document
   */
  public List<Fact> facts(Kind kind) {
    return facts.stream().filter(fact -> fact.kind().equals(kind.text)).toList();
  }

  /**
   * The names of a kind.
   *
   * @param kind the kind
   * @return names in the order of the document
   */
  public List<String> names(Kind kind) {
    return facts(kind).stream().map(Fact::name).toList();
  }

  /**
   * The columns of a table.
   *
   * @param table its name
   * @return columns in the order of the document
   */
  public List<DocumentedColumn> columns(String table) {
    return facts(Kind.COLUMN).stream()
        .map(DocumentedColumn::of)
        .filter(column -> column.table().equals(table))
        .toList();
  }

  /**
   * Words that a column may have.
   *
   * @param column table and column, for example {@code event_outbox.status}
   * @return words in the order of the document
   */
  public List<String> words(String column) {
    return facts(Kind.WORD).stream()
        .filter(fact -> fact.says().equals(column))
        .map(Fact::name)
        .toList();
  }

  /** Kinds of facts that tests ask for. */
  public enum Kind {
    /** A table of the outbox or of an inbox. */
    TABLE("table"),
    /** A column of one of them. */
    COLUMN("column"),
    /** The primary key, as {@code table (columns)}. */
    PRIMARY_KEY("primary key"),
    /** A unique key, as {@code table (columns)}. */
    UNIQUE_KEY("unique key"),
    /** An index, as {@code table (columns)}. */
    INDEX("index"),
    /** An index on PostgreSQL alone. */
    POSTGRES_INDEX("index of postgres"),
    /** A value of a column, as {@code table.column}. */
    WORD("word"),
    /** A view, with MySQL's algorithm. */
    VIEW("view"),
    /** A RabbitMQ exchange. */
    EXCHANGE("exchange"),
    /** A RabbitMQ queue, with the aggregate type that it is for. */
    QUEUE("queue"),
    /** A destination as a template. */
    DESTINATION("destination"),
    /** A topic. */
    TOPIC("topic"),
    /** A member of the message. */
    FIELD("field"),
    /** A member of a dead letter. */
    DEAD_LETTER_FIELD("field of a dead letter"),
    /** A key of the configuration, with the part of the pace that it sets. */
    PROPERTY("property"),
    /** When the table is read. */
    PACE("pace");

    private final String text;

    Kind(String text) {
      this.text = text;
    }
  }
}
