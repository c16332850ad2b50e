package io.waybill.examples.services.notification;

import io.waybill.examples.services.notification.Notifications.Notification;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Expands one event into a notification for each person and channel, in one transaction. */
@Service
class NotificationOrchestrator {
  private final Notifications notifications;

  NotificationOrchestrator(Notifications notifications) {
    this.notifications = notifications;
  }

  /**
   * Does nothing for a copy of an event that was processed.
   *
   * @param recipients whose queue it came from
   * @throws IllegalArgumentException if the event is for others
   */
  @Transactional
  public void disaggregateAndProcess(Recipients recipients, BusinessEvent event) {
    if (event.aggregateType() != recipients) {
      throw new IllegalArgumentException(
          "event %s is for %s, but came to %s"
              .formatted(event.eventId(), event.aggregateType(), recipients.queue()));
    }
    // Who works there may have changed since the first copy.
    if (notifications.has(event.eventId())) {
      return;
    }
    List<Notification> each =
        notifications.people(recipients, event.aggregateId()).stream()
            .flatMap(
                person ->
                    Stream.of(Channel.values())
                        .map(channel -> new Notification(event.eventId(), person, channel)))
            .toList();
    notifications.write(event, each);
  }
}
