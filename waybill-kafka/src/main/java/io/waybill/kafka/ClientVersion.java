package io.waybill.kafka;

import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Versions of Kafka's client that corrupt: 2.8.0 to 3.9.1, 4.0.0, 4.0.1, 4.1.0 and 4.1.1 may use
 * the memory of a batch again that expired while it was out. Its records then reach other topics,
 * and their sends succeed. Source: CVE-2026-35554, KAFKA-19012.
 */
final class ClientVersion {
  private static final Logger LOG = LoggerFactory.getLogger(ClientVersion.class);
  private static final Pattern RELEASE = Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})");

  // The class that reads it has moved between releases, the file has not.
  private static final String FILE = "/kafka/kafka-version.properties";

  private ClientVersion() {}

  /** Version of the client on the class path; empty when it does not say. */
  static String current() {
    Properties read = new Properties();
    try (InputStream file = KafkaProducer.class.getResourceAsStream(FILE)) {
      if (file != null) {
        read.load(file);
      }
    } catch (IOException e) {
      LOG.debug("The version of Kafka's client cannot be read", e);
    }
    return read.getProperty("version", "").strip();
  }

  /** What is to be said against a version. */
  static Optional<Finding> check(String version) {
    return corrupts(version)
        ? Optional.of(
            new Finding(
                Check.KAFKA_CLIENT_CORRUPTS,
                "kafka-clients " + version,
                "after a delivery timeout this client may send records to another topic and report"
                    + " success (CVE-2026-35554); 2.8.0 to 3.9.1, 4.0.0, 4.0.1, 4.1.0 and 4.1.1 do",
                "use kafka-clients 3.9.2, 4.0.2, 4.1.2, or any from 4.2.0 on"))
        : Optional.empty();
  }

  /**
   * Whether a client is known to corrupt records. A version that is no release of Apache Kafka's is
   * passed over: vendors number otherwise and repair older lines.
   */
  private static boolean corrupts(String version) {
    Matcher release = RELEASE.matcher(version);
    if (!release.matches()) {
      return false;
    }
    int number =
        number(
            Integer.parseInt(release.group(1)),
            Integer.parseInt(release.group(2)),
            Integer.parseInt(release.group(3)));
    return (number >= number(2, 8, 0) && number <= number(3, 9, 1))
        || (number >= number(4, 0, 0) && number <= number(4, 0, 1))
        || (number >= number(4, 1, 0) && number <= number(4, 1, 1));
  }

  private static int number(int major, int minor, int patch) {
    return (major * 1000 + minor) * 1000 + patch;
  }
}
