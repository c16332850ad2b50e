package io.waybill.it.inbox;

import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("long")
@Tag("server")
class KafkaEffectOnceTest extends EffectOnceContract {
  private static KafkaServer broker;
  private static PostgresServer databases;

  @BeforeAll
  static void launch() {
    broker = KafkaSource.launch();
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
  EffectSource source() {
    return new KafkaSource(broker);
  }
}
