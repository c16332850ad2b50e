package io.waybill.internal.jdbc.window;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Binds the parameters of a statement in order. */
final class Parameters {
  private final PreparedStatement statement;
  private int index;

  Parameters(PreparedStatement statement) {
    this.statement = statement;
  }

  void number(long value) throws SQLException {
    statement.setLong(++index, value);
  }

  void literal(String value) throws SQLException {
    statement.setString(++index, value);
  }

  void flag(boolean value) throws SQLException {
    statement.setBoolean(++index, value);
  }

  void lanes(Set<Integer> lanes) throws SQLException {
    Short[] numbers = lanes.stream().map(Integer::shortValue).toArray(Short[]::new);
    statement.setArray(++index, statement.getConnection().createArrayOf("int2", numbers));
  }

  <T> void texts(List<T> items, Function<T, @Nullable String> text) throws SQLException {
    @Nullable String[] texts = new String[items.size()];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = storable(text.apply(items.get(i)));
    }
    statement.setArray(++index, statement.getConnection().createArrayOf("text", texts));
  }

  <T> void flags(List<T> items, Predicate<T> flag) throws SQLException {
    Boolean[] flags = new Boolean[items.size()];
    for (int i = 0; i < flags.length; i++) {
      flags[i] = flag.test(items.get(i));
    }
    statement.setArray(++index, statement.getConnection().createArrayOf("bool", flags));
  }

  /** PostgreSQL's text cannot hold the character NUL, which a broker's message may contain. */
  private static @Nullable String storable(@Nullable String text) {
    return text == null ? null : text.replace('\0', ' ');
  }
}
