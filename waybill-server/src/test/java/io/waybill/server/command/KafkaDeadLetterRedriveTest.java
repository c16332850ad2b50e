package io.waybill.server.command;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("server")
@Tag("long")
class KafkaDeadLetterRedriveTest extends DeadLetterRedriveContract {
  private static DeadLetterBroker broker;

  @BeforeAll
  static void launch() {
    broker = new KafkaDeadLetterBroker();
  }

  @AfterAll
  static void close() {
    broker.close();
  }

  @Override
  DeadLetterBroker broker() {
    return broker;
  }
}
