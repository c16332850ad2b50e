package io.waybill.proof.explore;

/**
 * One thing that can happen next.
 *
 * @param action what
 * @param relay whose, or -1
 * @param item which row, line, send, session or late call
 * @param fault whether it counts as a fault
 */
record Choice(Action action, int relay, int item, boolean fault) {
  static Choice free(Action action, int relay, int item) {
    return new Choice(action, relay, item, false);
  }

  static Choice fault(Action action, int relay, int item) {
    return new Choice(action, relay, item, true);
  }
}
