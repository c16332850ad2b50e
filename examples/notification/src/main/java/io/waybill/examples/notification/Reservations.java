package io.waybill.examples.notification;

import io.waybill.database.DatabaseKind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/** The business service: a reservation and its events in one transaction. */
final class Reservations {
  static final String TABLE =
      """
      create table reservations (
        id bigint primary key, restaurant_id bigint not null, customer_id bigint not null,
        agency_id bigint, party_size int not null);
      """;

  private static final int LARGE_PARTY = 8;

  private final DataSource database;
  private final String insertEvent;

  /** What was reserved. */
  record Reservation(long id, long restaurant, long customer, long agency, int partySize) {
    /** The event that each of them gets: whom it is about. */
    Map<Recipients, Long> notified() {
      Map<Recipients, Long> notified = new LinkedHashMap<>();
      notified.put(Recipients.RESTAURANT, restaurant);
      notified.put(Recipients.CUSTOMER, customer);
      if (agency > 0) {
        notified.put(Recipients.AGENCY, agency);
      }
      if (partySize > LARGE_PARTY) {
        notified.put(Recipients.ADMIN, 1L);
      }
      return notified;
    }

    String eventId(Recipients recipients) {
      return "RES-REQ-" + id + "-" + recipients;
    }

    private String payload() {
      return "{\"reservation_id\":%d,\"restaurant_id\":%d,\"party_size\":%d}"
          .formatted(id, restaurant, partySize);
    }
  }

  Reservations(DataSource database, DatabaseKind kind) {
    this.database = database;
    this.insertEvent =
        """
        insert into event_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
        values (?, 'RESERVATION_REQUESTED', ?, ?, %s)"""
            .formatted(kind == DatabaseKind.POSTGRESQL ? "cast(? as json)" : "?");
  }

  /** Reserves; one that is not accepted is rolled back with its events. */
  void reserve(Reservation reservation, boolean accepted) throws SQLException {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      insert(connection, reservation);
      for (Map.Entry<Recipients, Long> notified : reservation.notified().entrySet()) {
        insert(connection, reservation, notified.getKey(), notified.getValue());
      }
      if (accepted) {
        connection.commit();
      } else {
        connection.rollback();
      }
    }
  }

  private static void insert(Connection connection, Reservation reservation) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("insert into reservations values (?, ?, ?, ?, ?)")) {
      insert.setLong(1, reservation.id());
      insert.setLong(2, reservation.restaurant());
      insert.setLong(3, reservation.customer());
      insert.setLong(4, reservation.agency());
      insert.setInt(5, reservation.partySize());
      insert.executeUpdate();
    }
  }

  private void insert(Connection connection, Reservation reservation, Recipients who, long id)
      throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(insertEvent)) {
      insert.setString(1, reservation.eventId(who));
      insert.setString(2, who.name());
      insert.setLong(3, id);
      insert.setString(4, reservation.payload());
      insert.executeUpdate();
    }
  }

  List<Reservation> committed() throws SQLException {
    List<Reservation> committed = new ArrayList<>();
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("select * from reservations order by id")) {
      while (result.next()) {
        committed.add(
            new Reservation(
                result.getLong(1),
                result.getLong(2),
                result.getLong(3),
                result.getLong(4),
                result.getInt(5)));
      }
    }
    return committed;
  }
}
