package io.waybill.spring.autoconfigure;

import io.waybill.message.ReceivedEvent;
import io.waybill.proof.server.KafkaServer;
import io.waybill.spring.Tables;
import io.waybill.spring.WaybillHandler;
import io.waybill.testkit.Patience;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** An application that is up before its broker. */
@Tag("server")
@Tag("long")
class LateBrokerTest {
  @Configuration(proxyBeanMethods = false)
  static class Handler {
    @WaybillHandler("order.placed")
    void handle(ReceivedEvent event) {}
  }

  @Test
  void placesOfDeadLettersAreMadeOnceTheBrokerIsThere() {
    try (KafkaServer kafka = KafkaServer.launch()) {
      kafka.createTopic("orders", 1, Map.of());
      kafka.stop();
      try (ConfigurableApplicationContext context =
          SmallApplication.run(
              Handler.class,
              Tables.create().url(),
              "spring.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
              "waybill.schema.mode=apply",
              "waybill.routes.default.target=orders",
              "waybill.inbox.consumer=stock",
              "waybill.inbox.sources=orders",
              "waybill.inbox.dead-letters.create=true")) {
        InboxLifecycle inbox = context.getBean(InboxLifecycle.class);
        Awaitility.await()
            .atMost(Patience.of(Duration.ofSeconds(30)))
            .until(() -> inbox.unready().toString().contains("the broker can't be reached"));
        kafka.start();

        Awaitility.await()
            .atMost(Patience.of(Duration.ofSeconds(60)))
            .until(() -> topics(kafka).contains("orders.dlt"));
      }
    }
  }

  static Set<String> topics(KafkaServer kafka) throws Exception {
    try (Admin admin = kafka.admin()) {
      return admin.listTopics().names().get(20, TimeUnit.SECONDS);
    }
  }
}
