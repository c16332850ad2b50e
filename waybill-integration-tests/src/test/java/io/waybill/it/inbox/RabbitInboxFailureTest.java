package io.waybill.it.inbox;

import io.waybill.testkit.RabbitServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("server")
@Tag("long")
class RabbitInboxFailureTest extends InboxFailureContract {
  private static RabbitServer broker;

  @BeforeAll
  static void launch() {
    broker = RabbitSource.launch();
  }

  @AfterAll
  static void close() {
    broker.close();
  }

  @Override
  EffectSource another() {
    return new RabbitSource(RabbitSource.launch());
  }

  @Override
  EffectSource source() {
    return new RabbitSource(broker);
  }
}
