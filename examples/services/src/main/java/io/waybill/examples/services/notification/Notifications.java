package io.waybill.examples.services.notification;

import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

/** The notifications, and the people who get them. */
@Repository
class Notifications {
  private static final int BATCH = 500;

  private final JdbcTemplate jdbc;

  Notifications(JdbcTemplate jdbc) {
    this.jdbc = jdbc;
  }

  record Notification(String eventId, long personId, Channel channel) {}

  boolean has(String eventId) {
    return Boolean.TRUE.equals(
        jdbc.queryForObject(
            "select exists (select from notification where event_id = ?)", Boolean.class, eventId));
  }

  /** The staff of a restaurant, the users of an agency, the admins, or a customer. */
  List<Long> people(Recipients recipients, long id) {
    return jdbc.queryForList(
        "select id from person where aggregate_type = ? and aggregate_id = ? order by id",
        Long.class,
        recipients.name(),
        id);
  }

  /** Two copies that come at once: the unique key lets one of them write. */
  void write(BusinessEvent event, List<Notification> notifications) {
    String payload = event.payload().toString();
    jdbc.batchUpdate(
        """
        insert into notification (event_id, person_id, channel, event_type, payload)
        values (?, ?, ?, ?, cast(? as json))
        on conflict (event_id, person_id, channel) do nothing""",
        notifications,
        BATCH,
        (insert, notification) -> {
          insert.setString(1, notification.eventId());
          insert.setLong(2, notification.personId());
          insert.setString(3, notification.channel().name());
          insert.setString(4, event.eventType());
          insert.setString(5, payload);
        });
  }

  List<Notification> of(String reservationId) {
    return find("payload ->> 'reservation_id' = ?", reservationId);
  }

  List<Notification> ofEvent(String eventId) {
    return find("event_id = ?", eventId);
  }

  private List<Notification> find(String condition, String value) {
    return jdbc.query(
        """
        select event_id, person_id, channel from notification
        where %s order by id"""
            .formatted(condition),
        (row, number) ->
            new Notification(row.getString(1), row.getLong(2), Channel.valueOf(row.getString(3))),
        value);
  }
}
