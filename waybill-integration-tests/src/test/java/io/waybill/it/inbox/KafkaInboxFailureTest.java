package io.waybill.it.inbox;

import io.waybill.testkit.KafkaServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("server")
class KafkaInboxFailureTest extends InboxFailureContract {
  private static KafkaServer broker;

  @BeforeAll
  static void launch() {
    broker = KafkaSource.launch();
  }

  @AfterAll
  static void close() {
    broker.close();
  }

  @Override
  EffectSource another() {
    return new KafkaSource(KafkaSource.launch());
  }

  @Override
  EffectSource source() {
    return new KafkaSource(broker);
  }
}
