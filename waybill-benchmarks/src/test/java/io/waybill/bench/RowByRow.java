package io.waybill.bench;

import io.waybill.bench.child.SteadyLoad;
import io.waybill.bench.load.Backlog;
import io.waybill.bench.load.Payloads;
import io.waybill.bench.rival.Deliveries;
import io.waybill.bench.rival.Rival;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/** A rival that needs no downloads: it sends row after row, and rests before each if not tuned. */
public final class RowByRow implements Rival {
  private static final String TABLE =
      """
      create table rows (id bigint generated always as identity primary key, key text, body text)
      """;
  private static final String FILL =
      """
      insert into rows (key, body) select (g %% %d)::text, %s %s
      """;
  private static final long REST_NANOS = 1_000_000;

  @Override
  public Map<String, String> settings(boolean tuned) {
    return Map.of("pace", tuned ? "fast" : "slow");
  }

  @Override
  public void prepare(Task task) throws Exception {
    Backlog backlog = new Backlog(task.database());
    backlog.execute(TABLE);
    List<byte[]> templates = Payloads.templates();
    String text = Backlog.text(templates, task.keys());
    backlog.fill(
        "rows",
        task.events(),
        templates,
        (first, last) -> FILL.formatted(task.keys(), text, Backlog.range(first, last)));
  }

  @Override
  public Running start(Task task, Deliveries deliveries) throws Exception {
    Relay relay = new Relay(task, deliveries, DriverManager.getConnection(task.database()));
    relay.thread.start();
    return relay;
  }

  private static final class Relay implements Running {
    private final Task task;
    private final Deliveries deliveries;
    private final Connection connection;
    private final KafkaProducer<String, String> producer;
    private final Thread thread = new Thread(this::work, "relay");

    Relay(Task task, Deliveries deliveries, Connection connection) {
      this.task = task;
      this.deliveries = deliveries;
      this.connection = connection;
      this.producer =
          new KafkaProducer<>(
              Map.of("bootstrap.servers", task.broker(), "linger.ms", 0),
              new StringSerializer(),
              new StringSerializer());
    }

    private void work() {
      long last = 0;
      try (PreparedStatement read =
          connection.prepareStatement(
              "select id, key, body from rows where id > ? order by id limit 100")) {
        while (!Thread.interrupted()) {
          read.setLong(1, last);
          last = Math.max(last, sent(read));
        }
      } catch (SQLException ended) {
        throw new IllegalStateException(ended);
      }
    }

    private long sent(PreparedStatement read) throws SQLException {
      long last = 0;
      try (ResultSet rows = read.executeQuery()) {
        while (rows.next()) {
          send(rows.getString(2), rows.getString(3));
          last = rows.getLong(1);
        }
      }
      if (last == 0) {
        LockSupport.parkNanos(REST_NANOS);
      }
      return last;
    }

    private void send(String key, String body) {
      if (!task.tuned()) {
        LockSupport.parkNanos(REST_NANOS);
      }
      try {
        producer.send(new ProducerRecord<>(task.topic(), key, body)).get();
      } catch (Exception e) {
        throw new IllegalStateException("Not sent", e);
      }
      deliveries.confirmed(body);
    }

    @Override
    public SteadyLoad.Append append() throws SQLException {
      Connection own = DriverManager.getConnection(task.database());
      PreparedStatement insert = own.prepareStatement("insert into rows (key, body) values (?, ?)");
      return (key, body) -> {
        insert.setString(1, key);
        insert.setString(2, new String(body, StandardCharsets.UTF_8));
        insert.executeUpdate();
      };
    }

    @Override
    public void close() {
      thread.interrupt();
      producer.close();
    }
  }
}
