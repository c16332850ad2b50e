package io.waybill.testkit;

import io.waybill.database.ConnectionFactory;
import io.waybill.database.OnPublished;
import io.waybill.database.OutboxTables;
import io.waybill.database.SchemaOptions;
import io.waybill.internal.jdbc.outbox.PostgresOptions;
import io.waybill.internal.jdbc.outbox.PostgresOutbox;
import io.waybill.jdbc.Schema;
import io.waybill.proof.server.PostgresServer;
import io.waybill.store.LaneStore;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumSet;
import java.util.Properties;
import java.util.Set;

/** The own table on a real PostgreSQL, one server for the whole test run. */
final class PostgresFixture implements StoreFixture {
  static final PostgresServer SERVER = PostgresServer.launch();

  private final PostgresOutbox outbox;
  private final boolean keep;

  PostgresFixture(OnPublished onPublished) {
    keep = onPublished == OnPublished.KEEP;
    outbox =
        PostgresOutbox.of(connections(), PostgresOptions.ofDefaults().onPublished(onPublished));
    try (Connection connection = connect()) {
      Schema.of(SchemaOptions.ofDefaults()).apply(connection);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ConnectionFactory connections() {
    return ConnectionFactory.postgres(SERVER.jdbcUrl(), new Properties());
  }

  @Override
  public void reset() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          truncate waybill_outbox, waybill_row_state, waybill_held, waybill_published,
            waybill_request, waybill_audit, waybill_destination, waybill_job, waybill_job_event,
            waybill_note, waybill_rollup, waybill_login;
          delete from waybill_session;
          update waybill_lane set quiet_at = null""");
    }
  }

  @Override
  public void renumber() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute("truncate waybill_outbox restart identity");
    }
  }

  @Override
  public Connection connect() throws SQLException {
    return SERVER.dataSource().getConnection();
  }

  @Override
  public void insert(Connection connection, WrittenEvent event) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id,
              payload, available_at)
            values (?, 'order.placed', ?, ?, ?, clock_timestamp() + cast(? as interval))""")) {
      statement.setString(1, event.eventId());
      statement.setString(2, event.aggregateType());
      statement.setString(3, event.aggregateId());
      statement.setBytes(4, event.payload());
      statement.setString(5, event.delay() == null ? null : event.delay().toMillis() + " ms");
      statement.executeUpdate();
    }
  }

  @Override
  public void commitAsynchronously(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("set synchronous_commit = off");
    }
  }

  @Override
  public OutboxReader reader() {
    return outbox.reader();
  }

  @Override
  public OutboxReader reader(int maxEventBytes) {
    PostgresOptions options = PostgresOptions.ofDefaults().maxEventBytes(maxEventBytes);
    return PostgresOutbox.of(connections(), options).reader();
  }

  @Override
  public OutboxStore store() {
    return outbox.store();
  }

  @Override
  public LaneStore lanes() {
    return outbox.lanes();
  }

  @Override
  public Set<Ability> abilities() {
    Set<Ability> abilities = EnumSet.allOf(Ability.class);
    abilities.remove(Ability.STATE_OF_THE_DEAD);
    if (!keep) {
      abilities.remove(Ability.KEPT_EVENTS);
      abilities.remove(Ability.PUBLISHED_TIME);
    }
    return abilities;
  }

  @Override
  public OutboxTables tables() {
    return outbox;
  }

  @Override
  public void publishedInTheFuture(String... eventIds) throws SQLException {
    try (Connection connection = connect();
        PreparedStatement statement =
            connection.prepareStatement(
                """
                update waybill_published set published_at = now() + interval '1 hour'
                where id in (select id from waybill_outbox where event_id = any (?))""")) {
      statement.setArray(1, connection.createArrayOf("text", eventIds));
      statement.executeUpdate();
    }
  }

  @Override
  public void byHand(ByHand change, String eventId) throws SQLException {
    String sql =
        switch (change) {
          case REMOVE -> "delete from waybill_outbox where event_id = ?";
          case MARK ->
              keep
                  ? """
                  insert into waybill_published (id, row_created)
                  select id, (extract(epoch from created_at) * 1000000)::bigint
                  from waybill_outbox where event_id = ?"""
                  : "delete from waybill_outbox where event_id = ?";
          case SET_BACK ->
              """
              delete from waybill_row_state where row_id = (
                select id from waybill_outbox where event_id = ?)""";
        };
    try (Connection connection = connect();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, eventId);
      statement.executeUpdate();
    }
  }

  @Override
  public void lock(Connection connection, String eventId) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select id from waybill_outbox where event_id = ? for update")) {
      statement.setString(1, eventId);
      statement.execute();
    }
  }

  @Override
  public void request(String verb, String eventId) throws SQLException {
    try (Connection connection = connect();
        PreparedStatement statement =
            connection.prepareStatement(
                """
                with audit as (
                  insert into waybill_audit (requested_by, verb, row_id, event_id, reason)
                  select 'tester', ?, id, event_id, 'test' from waybill_outbox where event_id = ?
                  returning id, verb, row_id
                )
                insert into waybill_request (audit_id, lane, row_id, row_created, verb, reason)
                select a.id, o.lane, a.row_id,
                  (extract(epoch from o.created_at) * 1000000)::bigint, a.verb, 'test'
                from audit a join waybill_outbox o on o.id = a.row_id""")) {
      statement.setString(1, verb);
      statement.setString(2, eventId);
      statement.executeUpdate();
    }
  }

  @Override
  public String status(String eventId) throws SQLException {
    try (Connection connection = connect();
        PreparedStatement statement =
            connection.prepareStatement(
                "select status from waybill_outbox_status where event_id = ?")) {
      statement.setString(1, eventId);
      try (ResultSet result = statement.executeQuery()) {
        return result.next() ? result.getString(1) : "GONE";
      }
    }
  }

  @Override
  public void crash() {
    SERVER.kill();
    SERVER.start();
  }
}
