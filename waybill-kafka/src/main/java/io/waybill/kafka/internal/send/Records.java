package io.waybill.kafka.internal.send;

import io.waybill.broker.Outgoing;
import io.waybill.message.Destination;
import io.waybill.message.RecordTime;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Makes the client's records of messages. Guarded by the publisher's lock. */
final class Records {
  private final EncodedHeaders headers = new EncodedHeaders();
  private final SendSettings.Partitions partitions;

  Records(SendSettings.Partitions partitions) {
    this.partitions = partitions;
  }

  ProducerRecord<byte[], byte[]> of(Outgoing message, Producer<byte[], byte[]> client) {
    Destination to = message.destination();
    return new ProducerRecord<>(
        to.target(),
        partitions.of(message, client),
        // Without a time the client takes that of the send.
        to.timestamp() == RecordTime.CREATED ? message.timestampMillis() : null,
        message.key(),
        message.body(),
        headers.of(message.headers()));
  }
}
