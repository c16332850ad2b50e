package io.waybill.it.inbox;

import io.waybill.proof.server.PostgresServer;
import io.waybill.proof.server.RabbitServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("server")
@Tag("long")
class RabbitInboxFailureTest extends InboxFailureContract {
  private static RabbitServer broker;
  private static PostgresServer databases;

  @BeforeAll
  static void launch() {
    broker = RabbitSource.launch();
    databases = PostgresServer.launch();
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
  EffectSource another() {
    return new RabbitSource(RabbitSource.launch());
  }

  @Override
  EffectSource source() {
    return new RabbitSource(broker);
  }
}
