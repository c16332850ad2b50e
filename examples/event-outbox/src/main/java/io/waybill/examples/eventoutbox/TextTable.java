package io.waybill.examples.eventoutbox;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Rows in columns, for people. */
final class TextTable {
  private static final int WIDEST = 26;

  private TextTable() {}

  /** The first rows of a result, and how many more there are. */
  static String of(ResultSet result, int most) throws SQLException {
    int columns = result.getMetaData().getColumnCount();
    List<List<String>> rows = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int i = 1; i <= columns; i++) {
      names.add(result.getMetaData().getColumnLabel(i));
    }
    rows.add(names);
    int more = 0;
    while (result.next()) {
      if (rows.size() > most) {
        more++;
        continue;
      }
      List<String> row = new ArrayList<>();
      for (int i = 1; i <= columns; i++) {
        row.add(shortened(String.valueOf(result.getString(i))));
      }
      rows.add(row);
    }
    return aligned(rows) + (more > 0 ? "  and " + more + " more\n" : "");
  }

  private static String shortened(String value) {
    return value.length() <= WIDEST ? value : value.substring(0, WIDEST - 3) + "...";
  }

  private static String aligned(List<List<String>> rows) {
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        int column = i;
        int width = rows.stream().mapToInt(other -> other.get(column).length()).max().orElse(0);
        line.append("  ").append(row.get(i)).append(" ".repeat(width - row.get(i).length()));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
