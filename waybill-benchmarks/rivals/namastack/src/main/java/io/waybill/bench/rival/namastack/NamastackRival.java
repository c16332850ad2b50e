package io.waybill.bench.rival.namastack;

import io.namastack.outbox.Outbox;
import io.namastack.outbox.partition.PartitionHasher;
import io.waybill.bench.load.Backlog;
import io.waybill.bench.rival.Deliveries;
import io.waybill.bench.rival.Rival;
import io.waybill.bench.rival.spring.LibraryBacklog;
import io.waybill.bench.rival.spring.SpringRelay;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.context.ConfigurableApplicationContext;

/** namastack-outbox with its JDBC store and a handler that sends to Kafka. */
public final class NamastackRival implements Rival {
  private static final String SCHEMA = "schema/postgres/outbox-tables.sql";
  private static final String HANDLER =
      "io.waybill.bench.rival.namastack.SendToKafka#handle("
          + "io.waybill.bench.rival.namastack.OrderPlaced,"
          + "io.namastack.outbox.handler.OutboxRecordMetadata)";
  // As JdbcOutboxRecordRepository inserts; the creation time is what it orders by.
  private static final String FILL =
      """
      insert into outbox_record (id, status, record_key, record_type, payload, context, created_at,
        completed_at, failure_count, failure_reason, next_retry_at, partition_no, handler_id)
      select gen_random_uuid()::text, 'NEW', (g %% %d)::text, '%s', %s, null,
        now() - interval '1 hour' + g * interval '1 microsecond', null, 0, null,
        now() - interval '1 hour', (array[%s])[g %% %d + 1], '%s'
      %s
      """;

  @Override
  public Map<String, String> settings(boolean tuned) {
    Map<String, String> all = new TreeMap<>();
    if (tuned) {
      // Documentation, "Polling Strategies" and "Configuration": keys per poll and its interval.
      all.put("namastack.outbox.polling.batch-size", "1000");
      all.put("namastack.outbox.polling.fixed.interval", "10ms");
      // "Processing Configuration Options": threads, and no history.
      all.put("namastack.outbox.processing.executor-core-pool-size", "16");
      all.put("namastack.outbox.processing.executor-max-pool-size", "16");
      all.put("namastack.outbox.processing.delete-completed-records", "true");
      // One connection for each thread and those of the schedulers.
      all.put("spring.datasource.hikari.maximum-pool-size", "20");
      all.put("spring.kafka.producer.properties.linger.ms", "0");
    }
    return all;
  }

  @Override
  public void prepare(Task task) throws Exception {
    Backlog backlog = new Backlog(task.database());
    backlog.execute(LibraryBacklog.schema(Outbox.class, SCHEMA));
    List<byte[]> templates = LibraryBacklog.templates(OrderPlaced::new);
    String text = Backlog.text(templates, task.keys());
    String partitions =
        IntStream.range(0, task.keys())
            .mapToObj(key -> PartitionHasher.INSTANCE.getPartitionForRecordKey("" + key))
            .map(String::valueOf)
            .collect(Collectors.joining(","));
    backlog.fill(
        "outbox_record",
        task.events(),
        templates,
        (first, last) ->
            FILL.formatted(
                task.keys(),
                OrderPlaced.class.getName(),
                text,
                partitions,
                task.keys(),
                HANDLER,
                Backlog.range(first, last)));
  }

  @Override
  public Running start(Task task, Deliveries deliveries) {
    ConfigurableApplicationContext context =
        SpringRelay.start(NamastackApplication.class, task, settings(task.tuned()), deliveries);
    Outbox outbox = context.getBean(Outbox.class);
    return new SpringRelay(context, (key, body) -> outbox.schedule(new OrderPlaced(body), key));
  }
}
