package io.waybill.examples.polyglot;

import io.waybill.inbox.Inbox;
import io.waybill.opentelemetry.WaybillTracing;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import java.util.ArrayList;
import java.util.List;

/** The consumers in this process, each with a database of its own. */
final class JavaConsumers implements AutoCloseable {
  private final List<JavaConsumer> consumers;
  private final PostgresServer postgres;
  private final KafkaServer kafka;
  private final Telemetry telemetry;
  private final List<Inbox> started = new ArrayList<>();

  JavaConsumers(
      List<JavaConsumer> consumers,
      PostgresServer postgres,
      KafkaServer kafka,
      Telemetry telemetry) {
    this.consumers = consumers;
    this.postgres = postgres;
    this.kafka = kafka;
    this.telemetry = telemetry;
  }

  void start() {
    for (JavaConsumer consumer : consumers) {
      started.add(
          consumer.start(
              postgres.dataSource(consumer.database()),
              kafka.bootstrapServers(),
              WaybillTracing.of(telemetry.of(consumer.name()))));
    }
  }

  /** Lets running handlers end, and stops. */
  @Override
  public void close() {
    started.forEach(Inbox::close);
  }
}
