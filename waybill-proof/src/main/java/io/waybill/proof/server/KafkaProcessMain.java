package io.waybill.proof.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import kafka.Kafka;
import kafka.tools.StorageTool;

/**
 * The process that {@link KafkaServer} starts: formats the storage at the first start, then runs
 * the broker until standard input ends. The parent holds the other end of that pipe, so the broker
 * ends with it even when the parent is killed.
 */
final class KafkaProcessMain {
  private KafkaProcessMain() {}

  /**
   * Runs the broker.
   *
   * @param args properties file, log directory, cluster id
   * @throws IOException when the log directory cannot be read
   */
  public static void main(String[] args) throws IOException {
    haltWhenParentEnds();
    if (!Files.exists(Path.of(args[1], "meta.properties"))) {
      format(args[0], args[2]);
    }
    Kafka.main(new String[] {args[0]});
  }

  private static void format(String properties, String clusterId) {
    String[] command = {"format", "--config", properties, "--cluster-id", clusterId};
    int status = StorageTool.execute(command, System.out);
    if (status != 0) {
      throw new IllegalStateException("formatting the storage failed with status " + status);
    }
  }

  private static void haltWhenParentEnds() {
    Thread watch = new Thread(KafkaProcessMain::awaitEndOfInput, "parent-watch");
    watch.setDaemon(true);
    watch.start();
  }

  private static void awaitEndOfInput() {
    try {
      while (System.in.read() >= 0) {
        Thread.onSpinWait();
      }
    } catch (IOException broken) {
      // The same as the end of the input: the parent is gone.
    }
    Runtime.getRuntime().halt(0);
  }
}
