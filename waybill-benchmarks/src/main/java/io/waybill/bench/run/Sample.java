package io.waybill.bench.run;

import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Measured.Figure;
import io.waybill.bench.stage.Child;
import io.waybill.bench.stage.Stage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far a candidate was at a moment, and what CPU all had used by then.
 *
 * @param completed events finished
 * @param nanos monotonic time
 * @param relay CPU seconds of the candidate's process
 * @param database CPU seconds of the database
 * @param broker CPU seconds of the broker
 * @param consumer CPU seconds of the verifier, 0 without one
 */
public record Sample(
    long completed, long nanos, double relay, double database, double broker, double consumer) {
  /** Takes one with what a candidate said: how far it is, and when. */
  public static Sample take(
      List<String> words, Stage stage, Child candidate, @Nullable Child verifier) {
    return new Sample(
        Long.parseLong(words.get(0)),
        Long.parseLong(words.get(1)),
        candidate.cpuSeconds(),
        stage.databaseCpuSeconds(),
        stage.brokerCpuSeconds(),
        verifier == null ? 0 : verifier.cpuSeconds());
  }

  /** What happened from another sample to this one. */
  public Span since(Sample earlier) {
    double events = completed - earlier.completed;
    return new Span(
        events * 1e9 / (nanos - earlier.nanos),
        (relay - earlier.relay) * 1000 / events,
        (database - earlier.database) * 1000 / events,
        (broker - earlier.broker) * 1000 / events,
        (consumer - earlier.consumer) * 1000 / events);
  }

  /**
   * Between two samples: events per second, and CPU seconds per 1,000 events.
   *
   * @param rate events per second
   * @param relay of the candidate's process
   * @param database of the database
   * @param broker of the broker
   * @param consumer of the verifier
   */
  public record Span(double rate, double relay, double database, double broker, double consumer) {
    /** Adds all but the verifier's. */
    public void addTo(Measured measured) {
      measured.add(Figure.RATE, rate);
      measured.add(Figure.RELAY_CPU, relay);
      measured.add(Figure.DATABASE_CPU, database);
      measured.add(Figure.BROKER_CPU, broker);
    }
  }
}
