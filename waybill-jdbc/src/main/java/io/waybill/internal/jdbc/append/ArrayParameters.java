package io.waybill.internal.jdbc.append;

import io.waybill.message.Event;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Binds one array per column, in the order of the calls; used once. */
public final class ArrayParameters {
  private final Connection connection;
  private final PreparedStatement statement;
  private final List<Event> events;
  private int index;

  public ArrayParameters(Connection connection, PreparedStatement statement, List<Event> events) {
    this.connection = connection;
    this.statement = statement;
    this.events = events;
  }

  public void texts(Function<Event, @Nullable String> column) throws SQLException {
    bind("text", events.stream().map(column).toArray(String[]::new));
  }

  public void bytes(Function<Event, byte @Nullable []> column) throws SQLException {
    bind("bytea", events.stream().map(column).toArray(byte[][]::new));
  }

  public void integers(ToIntFunction<Event> column) throws SQLException {
    bind("int4", events.stream().mapToInt(column).boxed().toArray(Integer[]::new));
  }

  private void bind(String type, Object[] values) throws SQLException {
    index++;
    statement.setArray(index, connection.createArrayOf(type, values));
  }
}
