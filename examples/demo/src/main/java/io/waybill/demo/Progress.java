package io.waybill.demo;

import java.util.Map;

/**
 * One look at everything.
 *
 * @param written committed events
 * @param published events that are settled as published
 * @param consumed distinct events that the consumer received
 * @param lanes number of lanes by relay
 */
record Progress(long written, long published, long consumed, Map<String, Integer> lanes) {
  long lag() {
    return Math.max(0, written - consumed);
  }
}
