package io.waybill.server.command;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("server")
class KafkaDeadLetterRedriveTest extends DeadLetterRedriveContract {
  private static LetterBroker broker;

  @BeforeAll
  static void launch() {
    broker = new KafkaLetterBroker();
  }

  @AfterAll
  static void close() {
    broker.close();
  }

  @Override
  LetterBroker broker() {
    return broker;
  }
}
