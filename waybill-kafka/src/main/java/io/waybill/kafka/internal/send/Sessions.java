package io.waybill.kafka.internal.send;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The two clients of a publisher: the main one, and that of the topics whose last failure is not
 * made good. Guarded by the publisher's lock.
 */
final class Sessions {
  private static final String SET_BACK = "the time of day was set back";

  private @Nullable ProducerSession main;
  private @Nullable ProducerSession suspects;
  private int epoch;

  /** The client; null when it does not exist yet. */
  @Nullable ProducerSession get(boolean forSuspects) {
    return forSuspects ? suspects : main;
  }

  List<ProducerSession> living() {
    return Stream.of(main, suspects).filter(Objects::nonNull).toList();
  }

  /** Changes each time the time of day is set back. */
  int epoch() {
    return epoch;
  }

  /**
   * Takes a new client into use.
   *
   * @param since the epoch before it was created
   */
  void install(ProducerSession session, int since) {
    if (since != epoch) {
      session.outdate(SET_BACK);
    }
    if (session.forSuspects()) {
      suspects = session;
    } else {
      main = session;
    }
  }

  void flush() {
    if (main != null) {
      main.flush();
    }
    if (suspects != null) {
      suspects.flush();
    }
  }

  /** Clients with larger batches are replaced as soon as nothing is under way. */
  void fit(int batchBytes, int suspectsBatchBytes) {
    for (ProducerSession each : living()) {
      if (each.batchBytes() > (each.forSuspects() ? suspectsBatchBytes : batchBytes)) {
        each.outdate("more partitions are in use than its buffer has batches for");
        retire(each);
      }
    }
  }

  /** The time of day was set back: clients of before it are used up and then replaced. */
  void outdate() {
    epoch++;
    living().forEach(each -> each.outdate(SET_BACK));
  }

  /** Replaces an outdated client once nothing is under way, so no outcome is unknown. */
  static void retire(ProducerSession session) {
    String why = session.outdated();
    if (why != null && session.sends().oldest() == null) {
      session.abandon(why);
    }
  }

  /** A client whose sends all have an outcome is out of use. */
  void forget(ProducerSession session) {
    main = main == session ? null : main;
    suspects = suspects == session ? null : suspects;
  }
}
