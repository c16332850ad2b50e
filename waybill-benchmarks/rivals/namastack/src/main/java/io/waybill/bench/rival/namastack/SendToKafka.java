package io.waybill.bench.rival.namastack;

import io.namastack.outbox.handler.OutboxRecordMetadata;
import io.namastack.outbox.handler.OutboxTypedHandler;
import io.waybill.bench.rival.Deliveries;
import java.util.concurrent.ExecutionException;
import org.springframework.kafka.core.KafkaTemplate;

/** Sends an event and waits for the broker, so that a failure is retried. */
public class SendToKafka implements OutboxTypedHandler<OrderPlaced> {
  private final KafkaTemplate<String, String> kafka;
  private final String topic;
  private final Deliveries deliveries;

  SendToKafka(KafkaTemplate<String, String> kafka, String topic, Deliveries deliveries) {
    this.kafka = kafka;
    this.topic = topic;
    this.deliveries = deliveries;
  }

  @Override
  public void handle(OrderPlaced payload, OutboxRecordMetadata metadata) {
    try {
      kafka.send(topic, metadata.getKey(), payload.body()).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("Not sent", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Not sent", e);
    }
    deliveries.confirmed(payload.body());
  }
}
