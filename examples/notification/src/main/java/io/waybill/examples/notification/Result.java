package io.waybill.examples.notification;

import io.waybill.examples.notification.Reservations.Reservation;
import io.waybill.proof.oracle.RabbitMessage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * What arrived, compared with the reservations.
 *
 * @param events events of committed reservations
 * @param rolledBack reservations that were rolled back
 * @param delivered messages in the queues
 * @param lost events that did not arrive
 * @param ghosts events of no committed reservation
 * @param duplicates further copies of an event
 * @param misrouted messages in a queue that is not theirs
 * @param unfinished rows that are not PROCESSED and SUCCESS in the end
 */
record Result(
    int events,
    int rolledBack,
    int delivered,
    int lost,
    int ghosts,
    int duplicates,
    int misrouted,
    long unfinished) {
  static Result of(
      List<Reservation> committed, List<RabbitMessage> messages, int rolledBack, long unfinished) {
    Map<String, String> missing = new HashMap<>();
    for (Reservation reservation : committed) {
      for (Recipients recipients : reservation.notified().keySet()) {
        missing.put(reservation.eventId(recipients), recipients.queue());
      }
    }
    Map<String, String> expected = Map.copyOf(missing);
    int ghosts = 0;
    int duplicates = 0;
    int misrouted = 0;
    for (RabbitMessage message : messages) {
      String eventId = JsonMapper.shared().readTree(message.body()).path("event_id").asString();
      String queue = expected.get(eventId);
      if (queue == null) {
        ghosts++;
      } else if (!queue.equals(message.queue())) {
        misrouted++;
      } else if (missing.remove(eventId) == null) {
        duplicates++;
      }
    }
    return new Result(
        expected.size(),
        rolledBack,
        messages.size(),
        missing.size(),
        ghosts,
        duplicates,
        misrouted,
        unfinished);
  }

  boolean clean() {
    return lost + ghosts + duplicates + misrouted + unfinished == 0;
  }

  String text() {
    return """
    %,d events committed, %,d messages: lost %d, ghosts %d, duplicates %d, in a wrong queue %d, not marked %d
    %s"""
        .formatted(
            events,
            delivered,
            lost,
            ghosts,
            duplicates,
            misrouted,
            unfinished,
            clean() ? "OK: every event arrived once in its queue" : "NOT as it should be");
  }

  String json() {
    return JsonMapper.shared().writeValueAsString(this);
  }
}
