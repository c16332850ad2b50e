package io.waybill.spring.autoconfigure;

import io.waybill.proof.oracle.KafkaTail;
import io.waybill.spring.Tables;
import io.waybill.spring.TestServers;
import io.waybill.testkit.Patience;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** A relay that hears of commits in other processes, though it looks once in ten minutes. */
@Tag("server")
class ListenKeyTest {
  private static final Duration PATIENCE = Patience.of(Duration.ofSeconds(60));
  private static final String LISTENERS =
      """
      select pid::text from pg_stat_activity
      where application_name like 'waybill % listener' and query = 'select 1'
        and datname = current_database()""";

  @Test
  void aCommitOfAnotherProcessThatNotifiesWakesTheRelay() {
    Tables tables = Tables.create();
    String topic = "listen-" + UUID.randomUUID();
    TestServers.kafka().createTopic(topic, 1, Map.of());
    try (ConfigurableApplicationContext context =
            SmallApplication.run(
                tables.url(),
                "spring.kafka.bootstrap-servers=" + TestServers.kafka().bootstrapServers(),
                "waybill.outbox.listen=true",
                "waybill.poll.interval=10m",
                "waybill.routes.default.target=" + topic);
        KafkaTail tail = new KafkaTail(TestServers.kafka().bootstrapServers(), List.of(topic))) {
      SmallApplication.publish(context, "42");
      Awaitility.await().atMost(PATIENCE).until(() -> tail.count() == 1);
      Awaitility.await().atMost(PATIENCE).until(() -> tables.texts(LISTENERS).size() == 1);

      for (int i = 2; i <= 4; i++) {
        int expected = i;
        tables.run(
            """
            insert into waybill_outbox
              (event_id, event_type, aggregate_type, aggregate_id, payload)
            values ('e%d', 'order.placed', 'order', '7', '{}')"""
                .formatted(i));
        tables.run("select pg_notify('waybill_commit', 'public')");
        Awaitility.await().atMost(PATIENCE).until(() -> tail.count() == expected);
      }
    }
  }
}
