package io.waybill.demo;

import java.util.Map;

/**
 * One look at everything.
 *
 * @param written committed events
 * @param published events that are settled as published
 * @param consumed distinct events that the consumer received
 * @param givenUp committed events that operators skipped or buried
 * @param open events that are neither published nor given up, those in no ledger included
 * @param undecided parked events and paused destinations, which wait for an operator
 * @param lanes number of lanes by relay
 */
record Progress(
    long written,
    long published,
    long consumed,
    long givenUp,
    long open,
    long undecided,
    Map<String, Integer> lanes) {
  long lag() {
    return Math.max(0, written - givenUp - consumed);
  }

  /** Whether everything has arrived that is not given up. */
  boolean allArrived() {
    return open == 0 && lag() == 0;
  }
}
