package io.waybill.it.inbox;

import io.waybill.proof.server.MariaDbServer;
import io.waybill.proof.server.RabbitServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("server")
@Tag("long")
class RabbitMariaDbEffectOnceTest extends EffectOnceContract {
  private static RabbitServer broker;
  private static MariaDbServer databases;

  @BeforeAll
  static void launch() {
    broker = RabbitSource.launch();
    databases = MariaDbServer.launch();
  }

  @AfterAll
  static void close() {
    broker.close();
    databases.close();
  }

  @Override
  EffectDatabase database(String name) {
    return EffectDatabase.create(databases, name);
  }

  @Override
  EffectSource source() {
    return new RabbitSource(broker);
  }
}
