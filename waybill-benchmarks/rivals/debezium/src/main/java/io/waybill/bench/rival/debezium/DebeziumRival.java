package io.waybill.bench.rival.debezium;

import io.waybill.bench.load.Backlog;
import io.waybill.bench.load.Payloads;
import io.waybill.bench.rival.Deliveries;
import io.waybill.bench.rival.Rival;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.postgresql.Driver;

/**
 * Debezium's engine with the outbox event router. The backlog is in the write-ahead log behind a
 * slot, as it is after the engine was away for a while.
 */
public final class DebeziumRival implements Rival {
  static final String PAYLOAD = "payload";

  // "Outbox Event Router", basic outbox table; with BYTEA where the payload is passed as bytes.
  private static final String TABLE =
      """
      create table outboxevent (
        id uuid not null primary key,
        aggregatetype varchar(255) not null,
        aggregateid varchar(255) not null,
        type varchar(255) not null,
        payload %s
      );
      create publication bench for table outboxevent;
      """;
  private static final String FILL =
      """
      insert into outboxevent (id, aggregatetype, aggregateid, type, payload)
      select gen_random_uuid(), 'order', (g %% %d)::text, 'order.placed', %s %s
      """;

  @Override
  public Map<String, String> settings(boolean tuned) {
    Map<String, String> all = new TreeMap<>();
    // Debezium connector for PostgreSQL, "Advanced configuration properties".
    all.put("poll.interval.ms", tuned ? "5" : "500");
    all.put("max.batch.size", tuned ? "8192" : "2048");
    all.put("max.queue.size", tuned ? "16384" : "8192");
    // Debezium Engine, "Asynchronous engine properties".
    all.put("record.processing.threads", tuned ? "AVAILABLE_CORES" : "");
    // "Outbox Event Router", "Using Avro as the payload format": a binary column is passed as is.
    all.put(PAYLOAD, tuned ? "bytea" : "jsonb");
    // Kafka's producer: as the client alone is set here, or its defaults.
    all.put("producer.linger.ms", "5");
    all.put("producer.batch.size", tuned ? "131072" : "16384");
    all.put("producer.compression.type", tuned ? "lz4" : "none");
    return all;
  }

  @Override
  public void prepare(Task task) throws Exception {
    Backlog backlog = new Backlog(task.database());
    backlog.execute(TABLE.formatted(settings(task.tuned()).get(PAYLOAD)));
    backlog.execute(
        "select pg_create_logical_replication_slot('" + database(task) + "', 'pgoutput')");
    List<byte[]> templates = Payloads.templates();
    String text = Backlog.text(templates, task.keys());
    String payload = task.tuned() ? "convert_to(" + text + ", 'UTF8')" : "(" + text + ")::jsonb";
    backlog.fill(
        "outboxevent",
        task.events(),
        templates,
        (first, last) -> FILL.formatted(task.keys(), payload, Backlog.range(first, last)));
  }

  @Override
  public Running start(Task task, Deliveries deliveries) throws IOException {
    Map<String, String> settings = settings(task.tuned());
    Sink sink = new Sink(task, settings, deliveries);
    return new Engine(properties(task, settings), task, sink);
  }

  private static String database(Task task) {
    return parsed(task).getProperty("PGDBNAME");
  }

  private static Properties parsed(Task task) {
    Properties url = Driver.parseURL(task.database(), null);
    if (url == null) {
      throw new IllegalArgumentException("No URL of PostgreSQL: " + task.database());
    }
    return url;
  }

  private static Properties properties(Task task, Map<String, String> settings) throws IOException {
    Properties url = parsed(task);
    Properties all = new Properties();
    all.setProperty("name", "bench");
    all.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
    all.setProperty("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
    Path offsets = Files.createTempFile("bench", ".offsets");
    offsets.toFile().deleteOnExit();
    all.setProperty("offset.storage.file.filename", offsets.toString());
    all.setProperty("database.hostname", url.getProperty("PGHOST"));
    all.setProperty("database.port", url.getProperty("PGPORT"));
    all.setProperty("database.user", url.getProperty("user"));
    all.setProperty("database.password", url.getProperty("password", ""));
    all.setProperty("database.dbname", url.getProperty("PGDBNAME"));
    all.setProperty("topic.prefix", "bench");
    all.setProperty("plugin.name", "pgoutput");
    all.setProperty("slot.name", url.getProperty("PGDBNAME"));
    all.setProperty("publication.name", "bench");
    all.setProperty("table.include.list", "public.outboxevent");
    // The slot has everything; there is nothing to take from the table.
    all.setProperty("snapshot.mode", "no_data");
    all.setProperty("tombstones.on.delete", "false");
    all.setProperty("transforms", "outbox");
    all.setProperty("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
    all.setProperty("transforms.outbox.route.topic.replacement", task.topic());
    settings.forEach(
        (name, value) -> {
          if (!name.startsWith("producer.") && !name.equals(PAYLOAD) && !value.isEmpty()) {
            all.setProperty(name, value);
          }
        });
    return all;
  }
}
