package io.waybill.kafka;

import io.waybill.kafka.internal.send.Clients;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;

/**
 * The clients of a publisher as its settings have them.
 *
 * @param config the settings
 */
record RealClients(KafkaPublisherConfig config) implements Clients {
  @Override
  public KafkaProducer<byte[], byte[]> producer(int batchBytes) {
    return new KafkaProducer<>(ClientProperties.producer(config, batchBytes));
  }

  @Override
  public KafkaProducer<byte[], byte[]> warmUp(String server) {
    return new KafkaProducer<>(ClientProperties.warmUp(config, server));
  }

  @Override
  public Admin admin() {
    return Admin.create(ClientProperties.admin(config));
  }
}
