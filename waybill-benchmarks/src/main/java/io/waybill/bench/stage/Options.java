package io.waybill.bench.stage;

import io.waybill.bench.wire.BrokerKind;
import io.waybill.database.DatabaseKind;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run is asked to do.
 *
 * @param broker where events go
 * @param database what consumers write to
 * @param events events per candidate and round
 * @param rounds interleaved rounds
 * @param keys number of keys
 * @param rate events per second of the writer
 * @param seconds length of a measurement at a rate
 * @param warmSeconds events before it that do not count
 * @param samples first events after idleness
 * @param pauseSeconds idleness before each; time between two replacements
 * @param outageSeconds how long the broker is gone
 * @param batch most events that a batch handler takes
 * @param format format of Waybill's messages
 * @param only labels of the candidates to measure, empty for all of the scenario
 * @param keep folder for the data of the databases, or null if they go with the servers
 */
public record Options(
    BrokerKind broker,
    DatabaseKind database,
    long events,
    int rounds,
    int keys,
    int rate,
    int seconds,
    int warmSeconds,
    int samples,
    double pauseSeconds,
    int outageSeconds,
    int batch,
    String format,
    List<String> only,
    @Nullable Path keep) {
  /** Copies the labels. */
  public Options {
    only = List.copyOf(only);
  }

  /** Whether consumers write to MariaDB. */
  public boolean onMariaDb() {
    return database == DatabaseKind.MARIADB;
  }

  /** Those of a scenario's candidates that are to be measured. */
  public List<Candidate> chosen(List<Candidate> all) {
    List<Candidate> chosen =
        all.stream().filter(c -> only.isEmpty() || only.contains(c.label())).toList();
    if (chosen.isEmpty()) {
      throw new IllegalArgumentException(
          "--only must name one of %s, but names %s"
              .formatted(all.stream().map(Candidate::label).toList(), only));
    }
    return chosen;
  }
}
