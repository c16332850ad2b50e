package io.waybill.testkit.oracle;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

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
          create table if not exists account (key text primary key, sequence bigint not null);
          create table if not exists ledger (
            event_id text primary key, key text not null, sequence bigint not null,
            sha256 text not null, unique (key, sequence))""");
    }
  }

  /**
   * Locks the key's row, takes the next sequence number and writes the ledger row. Runs in the
   * caller's transaction.
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
            .formatted(eventId, key, sequence, "x".repeat(padding));
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

  private static long next(Connection connection, String key) throws SQLException {
    String sql =
        """
        insert into account values (?, 1)
        on conflict (key) do update set sequence = account.sequence + 1
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
            statement.executeQuery("select event_id, key, sequence, sha256 from ledger")) {
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
