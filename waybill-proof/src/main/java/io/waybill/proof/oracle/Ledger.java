package io.waybill.proof.oracle;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/**
 * The business side of a test: one row per event, written in the event's transaction, with the
 * event's number within its key. What is in it was committed; what is not was not.
 */
public final class Ledger {
  private Ledger() {}

  /**
   * Creates the tables.
   *
   * @param connection any connection with autocommit on
   * @throws SQLException if the database refuses
   */
  public static void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          """
          create table if not exists account (
            name varchar(200) primary key, sequence bigint not null)""");
      statement.execute(
          """
          create table if not exists ledger (
            event_id varchar(200) primary key, account varchar(200) not null,
            sequence bigint not null, sha256 char(64) not null, unique (account, sequence))""");
    }
  }

  /**
   * Locks the key's row, takes the next sequence number and writes the ledger row. Runs in the
   * caller's transaction, on PostgreSQL.
   *
   * @param connection the transaction
   * @param eventId event id
   * @param key ordering key
   * @param padding bytes of padding in the payload
   * @return payload of the event, a JSON object with {@code key} and {@code sequence}
   * @throws SQLException if the database refuses
   */
  public static byte[] write(Connection connection, String eventId, String key, int padding)
      throws SQLException {
    long sequence = next(connection, key);
    String json =
        """
        {"eventId":"%s","key":"%s","sequence":%d,"padding":"%s"}"""
            .formatted(eventId, key, sequence, letters(sequence, padding));
    byte[] payload = json.getBytes(StandardCharsets.UTF_8);
    try (PreparedStatement insert =
        connection.prepareStatement("insert into ledger values (?, ?, ?, ?)")) {
      insert.setString(1, eventId);
      insert.setString(2, key);
      insert.setLong(3, sequence);
      insert.setString(4, sha256(payload));
      insert.executeUpdate();
    }
    return payload;
  }

  /** Random ones, so that they stay large when they are compressed. */
  private static String letters(long seed, int count) {
    StringBuilder letters = new StringBuilder(count);
    new Random(seed).ints(count, 'a', 'z' + 1).forEach(letters::appendCodePoint);
    return letters.toString();
  }

  /**
   * Creates keys with no events yet.
   *
   * @param connection any connection
   * @param keys keys that are not there yet
   * @throws SQLException if the database refuses
   */
  public static void open(Connection connection, Collection<String> keys) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("insert into account (name, sequence) values (?, 0)")) {
      for (String key : keys) {
        insert.setString(1, key);
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  /**
   * Locks the row of a key that was opened. Runs in the caller's transaction.
   *
   * @param connection the transaction
   * @param key ordering key
   * @return sequence number of the key's last event, 0 for none
   * @throws SQLException if the database refuses
   */
  public static long lock(Connection connection, String key) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("select sequence from account where name = ? for update")) {
      select.setString(1, key);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  /**
   * Writes the ledger rows of events whose keys are locked, and the keys' new sequence numbers.
   * Runs in the caller's transaction.
   *
   * @param connection the transaction
   * @param events events with rising sequences per key
   * @throws SQLException if the database refuses
   */
  public static void record(Connection connection, List<Copy> events) throws SQLException {
    try (PreparedStatement insert =
            connection.prepareStatement("insert into ledger values (?, ?, ?, ?)");
        PreparedStatement update =
            connection.prepareStatement("update account set sequence = ? where name = ?")) {
      for (Copy event : events) {
        insert.setString(1, event.eventId());
        insert.setString(2, event.key());
        insert.setLong(3, event.sequence());
        insert.setString(4, event.sha256());
        insert.addBatch();
        update.setLong(1, event.sequence());
        update.setString(2, event.key());
        update.addBatch();
      }
      insert.executeBatch();
      update.executeBatch();
    }
  }

  private static long next(Connection connection, String key) throws SQLException {
    String sql =
        """
        insert into account values (?, 1)
        on conflict (name) do update set sequence = account.sequence + 1
        returning sequence""";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, key);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  /**
   * Everything that was committed.
   *
   * @param connection any connection
   * @return ledger rows
   * @throws SQLException if the database refuses
   */
  public static List<Copy> committed(Connection connection) throws SQLException {
    List<Copy> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("select event_id, account, sequence, sha256 from ledger")) {
      while (row.next()) {
        rows.add(new Copy(row.getString(1), row.getString(2), row.getLong(3), row.getString(4)));
      }
    }
    return rows;
  }

  /**
   * Hash of a payload.
   *
   * @param payload bytes as delivered
   * @return hexadecimal SHA-256
   */
  public static String sha256(byte[] payload) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(payload));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
