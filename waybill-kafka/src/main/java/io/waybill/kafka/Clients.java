package io.waybill.kafka;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;

/** Makes the clients of one publisher. Thread-safe. */
interface Clients {
  /**
   * A client that sends.
   *
   * @param batchBytes bound of a batch, which the client sets aside for each partition in use
   */
  KafkaProducer<byte[], byte[]> producer(int batchBytes);

  /** A client that asks. */
  Admin admin();

  /** The real ones. */
  static Clients of(KafkaPublisherConfig config) {
    return new Clients() {
      @Override
      public KafkaProducer<byte[], byte[]> producer(int batchBytes) {
        return new KafkaProducer<>(ClientProperties.producer(config, batchBytes));
      }

      @Override
      public Admin admin() {
        return Admin.create(ClientProperties.admin(config));
      }
    };
  }
}
