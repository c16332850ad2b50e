package io.waybill.demo;

import java.nio.file.Path;

/** The process of the consumer: records every copy of every message in the order of arrival. */
final class ConsumerProcess {
  private ConsumerProcess() {}

  /**
   * Consumes until it is killed.
   *
   * @param args broker, its address, topic or queue, file to record to
   * @throws Exception when the broker or the file fails
   */
  public static void main(String[] args) throws Exception {
    try (ReceivedLog log = new ReceivedLog(Path.of(args[3]))) {
      switch (args[0]) {
        case "kafka" -> new KafkaCopies(args[1], args[2], log).run();
        case "rabbitmq" -> new RabbitCopies(args[1], args[2], log).run();
        default -> throw new IllegalArgumentException("Unknown broker '" + args[0] + "'");
      }
    }
  }
}
