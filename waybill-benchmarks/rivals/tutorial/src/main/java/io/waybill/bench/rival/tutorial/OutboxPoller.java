package io.waybill.bench.rival.tutorial;

import io.waybill.bench.rival.Deliveries;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.scheduling.annotation.Scheduled;

/** Claims 100 rows, then sends each, waits for the broker and updates it. */
class OutboxPoller {
  private static final String READ =
      """
      select id, aggregate_id, payload from tutorial_outbox
      where status = 'NEW' order by id limit 100
      """;
  private static final String CLAIM =
      """
      update tutorial_outbox set status = 'PROCESSING' where id = ? and status = 'NEW'
      """;
  private static final String SENT =
      """
      update tutorial_outbox set status = 'SENT', sent_at = now() where id = ?
      """;

  private final JdbcTemplate jdbc;
  private final KafkaTemplate<String, String> kafka;
  private final String topic;
  private final Deliveries deliveries;

  OutboxPoller(
      JdbcTemplate jdbc, KafkaTemplate<String, String> kafka, String topic, Deliveries deliveries) {
    this.jdbc = jdbc;
    this.kafka = kafka;
    this.topic = topic;
    this.deliveries = deliveries;
  }

  private record Row(long id, String key, String payload) {}

  @Scheduled(fixedDelayString = "${relay.delay}")
  void poll() throws ExecutionException, InterruptedException {
    List<Row> rows =
        jdbc.query(READ, (set, n) -> new Row(set.getLong(1), set.getString(2), set.getString(3)));
    jdbc.batchUpdate(CLAIM, rows.stream().map(row -> new Object[] {row.id()}).toList());
    for (Row row : rows) {
      kafka.send(topic, row.key(), row.payload()).get();
      jdbc.update(SENT, row.id());
      deliveries.confirmed(row.payload());
    }
  }
}
