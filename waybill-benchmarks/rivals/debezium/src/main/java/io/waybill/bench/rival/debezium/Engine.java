package io.waybill.bench.rival.debezium;

import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Binary;
import io.debezium.engine.format.SimpleString;
import io.waybill.bench.child.SteadyLoad;
import io.waybill.bench.rival.Rival;
import io.waybill.bench.rival.Rival.Task;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** The engine on a thread of its own. */
final class Engine implements Rival.Running {
  private static final String INSERT =
      """
      insert into outboxevent (id, aggregatetype, aggregateid, type, payload)
      values (gen_random_uuid(), 'order', ?, 'order.placed', ?%s)
      """;

  private final Task task;
  private final Sink sink;
  private final DebeziumEngine<?> engine;
  private final Thread thread;

  Engine(Properties properties, Task task, Sink sink) {
    this.task = task;
    this.sink = sink;
    this.engine = task.tuned() ? bytes(properties, sink) : strings(properties, sink);
    this.thread = new Thread(engine, "debezium");
    thread.start();
  }

  private static DebeziumEngine<?> strings(Properties properties, Sink sink) {
    return DebeziumEngine.create(SimpleString.class)
        .using(properties)
        .using(Engine::ended)
        .notifying(sink::take)
        .build();
  }

  private static DebeziumEngine<?> bytes(Properties properties, Sink sink) {
    return DebeziumEngine.create(SimpleString.class, Binary.class)
        .using(properties)
        .using(Engine::ended)
        .notifying(sink::take)
        .build();
  }

  private static void ended(boolean success, String message, @Nullable Throwable error) {
    if (!success) {
      System.err.println("The engine ended: " + message + " " + error);
    }
  }

  @Override
  public SteadyLoad.Append append() throws SQLException {
    Connection connection = DriverManager.getConnection(task.database());
    connection.setAutoCommit(false);
    PreparedStatement insert =
        connection.prepareStatement(INSERT.formatted(task.tuned() ? "" : "::jsonb"));
    return new Insert(connection, insert, task.tuned());
  }

  private record Insert(Connection connection, PreparedStatement insert, boolean binary)
      implements SteadyLoad.Append {
    @Override
    public void append(String key, byte[] body) throws SQLException {
      insert.setString(1, key);
      if (binary) {
        insert.setBytes(2, body);
      } else {
        insert.setString(2, new String(body, StandardCharsets.UTF_8));
      }
      insert.executeUpdate();
      connection.commit();
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }

  @Override
  public void close() {
    try {
      engine.close();
      thread.join(5_000);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    sink.close();
  }
}
