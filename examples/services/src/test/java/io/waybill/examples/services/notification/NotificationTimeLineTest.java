package io.waybill.examples.services.notification;

import static io.waybill.examples.services.notification.RunningNotifications.PATIENCE;
import static io.waybill.examples.services.notification.RunningNotifications.STAFF_TIMES_CHANNELS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.examples.services.notification.Reservations.Wanted;
import java.time.LocalTime;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The time line of the document, by the database's clock: from the producer's first look at an
 * event to the last of its twenty notifications, for which the document allows 100 ms.
 */
@Tag("server")
@Tag("long")
class NotificationTimeLineTest {
  private static final int WARM_UP = 50;
  private static final int EVENTS = 200;

  private record TimeLine(int events, double toRead50, double done50, double done99) {}

  @Test
  void fromTheReadOfAnEventToTheLastOfItsNotifications() {
    try (RunningNotifications service = RunningNotifications.start()) {
      Reservations reservations = service.bean(Reservations.class);
      for (int i = 0; i < WARM_UP + EVENTS; i++) {
        String event =
            reservations
                .reserve(new Wanted(5, null, null, "John", 4, LocalTime.of(20, 0)))
                .eventId(Recipients.RESTAURANT);
        await().atMost(PATIENCE).until(() -> service.rows(event) == STAFF_TIMES_CHANNELS);
      }
      service.awaitEmptyQueues();

      TimeLine seen = timeLine(service);

      System.out.printf(
          Locale.ROOT,
          "%d events, each of 20 notifications: read %.1f ms after its creation (p50); all"
              + " notifications %.1f ms after that (p50), %.1f ms (p99)%n",
          seen.events(),
          seen.toRead50(),
          seen.done50(),
          seen.done99());
      assertThat(seen.events()).isEqualTo(EVENTS);
      assertThat(seen.done50()).isPositive();
    }
  }

  private static TimeLine timeLine(RunningNotifications service) {
    return service
        .jdbc()
        .sql(
            """
            select count(*) as events,
              percentile_cont(0.5) within group (order by to_read) as to_read50,
              percentile_cont(0.5) within group (order by done) as done50,
              percentile_cont(0.99) within group (order by done) as done99
            from (
              select 1000 * extract(epoch from p.created_at - o.created_at) as to_read,
                1000 * extract(epoch from
                  max(n.created_at) at time zone 'UTC' - p.created_at) as done
              from event_outbox o
                join processed_event p using (event_id)
                join notification n using (event_id)
              group by o.event_id, o.created_at, p.created_at
              order by o.created_at offset ?) lines""")
        .param(WARM_UP)
        .query(TimeLine.class)
        .single();
  }
}
