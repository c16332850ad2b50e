package io.waybill.kafka.internal.send;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;

/** Makes the clients of one publisher. Thread-safe. */
public interface Clients {
  /**
   * A client that sends.
   *
   * @param batchBytes bound of a batch, which the client sets aside for each partition in use
   */
  KafkaProducer<byte[], byte[]> producer(int batchBytes);

  /**
   * A client that sends as the others do, but to one server of this machine, without encryption or
   * login.
   *
   * @param server its host and port
   */
  KafkaProducer<byte[], byte[]> warmUp(String server);

  /** A client that asks. */
  Admin admin();
}
