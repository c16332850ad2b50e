package io.waybill.server.terminal;

import io.waybill.spring.internal.config.Printable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;
import picocli.CommandLine.Help.TextTable;

/**
 * Lays rows out for people: as a table where that fits the width, else as a block for each row. The
 * columns of a table in which no row has anything are left out.
 */
final class Listing {
  private static final String NOTHING = "-";
  private static final int GAP = 2;
  // Below it a value has hardly a word in a line.
  private static final int LEAST_VALUE = 20;

  private final int width;

  /** A width of 0 is none. */
  Listing(int width) {
    this.width = width;
  }

  String table(List<? extends Map<String, ?>> rows) {
    List<String> names = new ArrayList<>(rows.get(0).keySet());
    names.removeIf(name -> rows.stream().allMatch(row -> text(row.get(name)).equals(NOTHING)));
    List<List<String>> lines = new ArrayList<>();
    lines.add(names);
    for (Map<String, ?> row : rows) {
      lines.add(names.stream().map(name -> text(row.get(name))).toList());
    }
    int[] widths =
        IntStream.range(0, names.size())
            .map(i -> lines.stream().mapToInt(line -> columns(line.get(i))).max().orElse(0))
            .toArray();
    int all = IntStream.of(widths).sum() + GAP * (widths.length - 1);
    return width > 0 && all > width ? blocks(rows) : padded(lines, widths);
  }

  /** Not a picocli table: that one counts wide characters only where it breaks lines. */
  private static String padded(List<List<String>> lines, int[] widths) {
    StringBuilder table = new StringBuilder();
    for (List<String> line : lines) {
      StringBuilder row = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String cell = line.get(i);
        row.append(cell).append(" ".repeat(widths[i] - columns(cell) + GAP));
      }
      table.append(row.toString().stripTrailing()).append(System.lineSeparator());
    }
    return table.toString();
  }

  /** One block for each row, a line for each of its keys. */
  String blocks(List<? extends Map<String, ?>> rows) {
    return String.join(System.lineSeparator(), rows.stream().map(this::block).toList());
  }

  private String block(Map<String, ?> row) {
    int names = row.keySet().stream().mapToInt(String::length).max().orElse(0) + GAP;
    List<List<String>> lines =
        row.entrySet().stream().map(e -> List.of(e.getKey(), text(e.getValue()))).toList();
    int longest = lines.stream().mapToInt(line -> columns(line.get(1))).max().orElse(0);
    int room = width == 0 ? longest : Math.min(longest, Math.max(LEAST_VALUE, width - names));
    return layOut(lines, names, room);
  }

  private static String layOut(List<List<String>> lines, int... widths) {
    Column[] columns = new Column[widths.length];
    for (int i = 0; i < widths.length; i++) {
      columns[i] = new Column(Math.max(1, widths[i]), 0, Overflow.WRAP);
    }
    TextTable table = TextTable.forColumns(Help.defaultColorScheme(Ansi.OFF), columns);
    table.indentWrappedLines = 0;
    table.setAdjustLineBreaksForWideCJKCharacters(true);
    for (List<String> line : lines) {
      table.addRowValues(line.stream().map(Listing::plain).toArray(Text[]::new));
    }
    return table.toString();
  }

  private static int columns(String text) {
    return plain(text).getCJKAdjustedLength();
  }

  /** The text as it is: what picocli would take for its markup is put together from two halves. */
  private static Text plain(String text) {
    String[] parts = text.split("(?<=@)(?=\\|)", -1);
    Text all = Ansi.OFF.text(parts[0]);
    for (int i = 1; i < parts.length; i++) {
      all = all.concat(Ansi.OFF.text(parts[i]));
    }
    return all;
  }

  private static String text(@Nullable Object value) {
    if (value instanceof Collection<?> list) {
      return list.isEmpty()
          ? NOTHING
          : String.join(", ", list.stream().map(Listing::text).toList());
    }
    String text = value == null ? "" : Printable.line(Objects.toString(value));
    return text.isEmpty() ? NOTHING : text;
  }
}
