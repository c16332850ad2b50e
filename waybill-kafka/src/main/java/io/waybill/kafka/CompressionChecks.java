package io.waybill.kafka;

import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Says what compression would save where events go uncompressed because nobody has chosen: by the
 * latest records of the topics. Topics that the user may not read are passed over.
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
      long plain = sample.plainBytes();
      long compressed = sample.compressedBytes();
      if (sample.records() < FEWEST || (plain - compressed) * 100 < plain * LEAST_PERCENT) {
        return Optional.empty();
      }
      return Optional.of(
          new Finding(
              Check.KAFKA_NOT_COMPRESSED,
              "kafka " + config.bootstrapServers(),
              String.format(
                  Locale.ROOT,
                  "compression.type: events of an adopted table go uncompressed unless it is set;"
                      + " gzip would save %d %% of the latest %d events: %d of %d bytes",
                  Math.round(100.0 * (plain - compressed) / plain),
                  sample.records(),
                  plain - compressed,
                  plain),
              "set compression.type to gzip, which every client reads, or to lz4 or zstd if all"
                  + " consumers read that; to none if it shall stay so"));
    }
  }
}
