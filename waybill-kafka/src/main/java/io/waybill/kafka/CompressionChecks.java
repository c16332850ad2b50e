package io.waybill.kafka;

import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Says what compression would save where events go uncompressed because nobody has chosen: by the
 * latest records of the topics that routes name, or in general where those say too little. Topics
 * that the user may not read are passed over.
 */
final class CompressionChecks {
  /** Records of a topic. */
  private static final int RECORDS = 500;

  /** Fewer say little about the events to come. */
  private static final int FEWEST = 100;

  /** Less is not worth a thought about the consumers. */
  private static final int LEAST_PERCENT = 20;

  private CompressionChecks() {}

  /** Takes some seconds at most, however many topics there are. */
  static Optional<Finding> run(KafkaPublisherConfig config, Map<String, Integer> partitions) {
    Map<String, Integer> seen = new TreeMap<>(partitions);
    seen.values().removeIf(number -> number < 1);
    try (CompressionSample sample = new CompressionSample()) {
      LatestRecords.read(config, seen, RECORDS, sample::add);
      if (sample.records() < FEWEST) {
        return Optional.of(finding(config, "gzip usually makes JSON three to six times smaller"));
      }
      long plain = sample.plainBytes();
      long saved = plain - sample.compressedBytes();
      if (saved * 100 < plain * LEAST_PERCENT) {
        return Optional.empty();
      }
      return Optional.of(
          finding(
              config,
              String.format(
                  Locale.ROOT,
                  "gzip would save %d %% of the latest %d events: %d of %d bytes",
                  Math.round(100.0 * saved / plain),
                  sample.records(),
                  saved,
                  plain)));
    }
  }

  private static Finding finding(KafkaPublisherConfig config, String saving) {
    return new Finding(
        Check.KAFKA_NOT_COMPRESSED,
        "kafka " + config.bootstrapServers(),
        "compression.type: events of an adopted table go uncompressed unless it is set; " + saving,
        "set compression.type to gzip, which every client reads, or to lz4 or zstd if all consumers"
            + " read that; to none if it shall stay so");
  }
}
