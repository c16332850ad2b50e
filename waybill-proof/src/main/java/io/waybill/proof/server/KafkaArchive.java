package io.waybill.proof.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * How tests start Kafka's broker: from their own class path, or with classes that the JVM maps from
 * an archive. The system property {@value #PROPERTY} names a file of the archive's JVM arguments,
 * which {@link #main} writes. A start then takes half of the processor time.
 */
final class KafkaArchive {
  // Not below "waybill", where it would be one of the keys that an application checks.
  static final String PROPERTY = "proof.kafka.archive";

  private KafkaArchive() {}

  /**
   * Runs a broker once, and writes an archive of the classes it needs beside the file.
   *
   * @param args the file
   * @throws IOException when the file cannot be written
   */
  public static void main(String[] args) throws IOException {
    String archive = args[0] + ".jsa";
    List<String> options =
        List.of("-XX:TieredStopAtLevel=1", "-XX:ArchiveClassesAtExit=" + archive);
    try (KafkaServer server = KafkaServer.launch("PLAINTEXT", Map.of(), options)) {
      server.createTopic("events", 1, Map.of());
      server.stop();
    }
    if (Files.exists(Path.of(archive))) {
      Files.writeString(
          Path.of(args[0]),
          """
          -XX:SharedArchiveFile=%s
          -Xlog:cds=off
          -Xlog:cds+dynamic=off
          -cp "%s"
          """
              .formatted(archive, System.getProperty("java.class.path")));
    }
  }

  /**
   * JVM arguments that give a broker its classes.
   *
   * @param version Kafka's version on this class path; an archive of another one does not serve
   * @return class path, and the archive if there is one
   */
  static List<String> classes(String version) {
    Path file = Path.of(System.getProperty(PROPERTY, ""));
    try {
      if (Files.isRegularFile(file)
          && Files.readString(file).contains("kafka-clients-" + version + ".jar")) {
        return List.of("@" + file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return List.of("-cp", System.getProperty("java.class.path"));
  }
}
