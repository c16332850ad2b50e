package io.waybill.demo.docs;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Two attempts that the README shows before the right one. */
final class FailingAttempts {
  private FailingAttempts() {}

  static void dualWrite(Connection connection, Producer<String, String> producer, String orderId)
      throws Exception {
    // quote:dual-write
    insertOrder(connection, orderId);
    producer.send(new ProducerRecord<>("orders", orderId, "placed")).get();
    connection.commit(); // fails: consumers know an order that does not exist
    // quote:end
  }

  // quote:naive-poller
  static List<Long> poll(Connection connection, long last) throws SQLException {
    List<Long> found = new ArrayList<>();
    try (PreparedStatement select =
        connection.prepareStatement("select id from my_outbox where id > ? order by id")) {
      select.setLong(1, last);
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          found.add(rows.getLong(1)); // publish it, then last = id
        }
      }
    }
    return found;
  }

  // quote:end

  static void insertOrder(Connection connection, String orderId) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("insert into orders (order_id) values (?)")) {
      insert.setString(1, orderId);
      insert.executeUpdate();
    }
  }
}
