package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waybill.internal.jdbc.outbox.TableOptions;
import io.waybill.internal.jdbc.outbox.TableOutbox;
import io.waybill.layout.Layouts;
import io.waybill.store.LaneStore;
import io.waybill.store.OutboxReader;
import io.waybill.store.Session;
import io.waybill.store.SessionLostException;
import io.waybill.store.StoreException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * A renewal is carried out, its answer is lost, and the database is copied. After one more renewal
 * it is set back to the copy, which has as many renewals as were answered.
 */
class LostRenewalTest {
  private static final Duration LEASE = Duration.ofHours(1);
  private static final String SCHEMA = "lost_renewal";

  private final MariaDbTestDatabase database = new MariaDbTestDatabase();
  private final AtomicBoolean losing = new AtomicBoolean();

  @Test
  void theRenewalAfterOneWhoseAnswerWasLostIsMissed() throws SQLException {
    try (Connection connection = database.createSchema(SCHEMA)) {
      database.createOwnTable(connection, SCHEMA);
    }
    TableOutbox outbox =
        TableOutbox.of(
            () -> losing(DriverManager.getConnection(database.url(SCHEMA))),
            Layouts.WAYBILL,
            database.dialect().kind(),
            TableOptions.defaults(Layouts.WAYBILL));
    try (LaneStore lanes = outbox.lanes();
        OutboxReader reader = outbox.reader()) {
      Session joined = lanes.join("relay", LEASE);
      assertThat(lanes.renew(joined, LEASE)).isTrue();
      losing.set(true);
      assertThatExceptionOfType(StoreException.class)
          .isThrownBy(() -> lanes.renew(joined.renewed(), LEASE));
      long copied = renewals();
      assertThat(lanes.renew(joined.renewed(), LEASE)).isTrue();
      reader.assign(joined.renewed(), Set.of(0));

      try (Connection connection = database.connectTo(SCHEMA);
          Statement statement = connection.createStatement()) {
        statement.execute("update waybill_session set renewals = " + copied);
      }

      assertThatExceptionOfType(SessionLostException.class)
          .isThrownBy(() -> lanes.view(joined.renewed().renewed()));
      try (OutboxReader late = outbox.reader()) {
        assertThatExceptionOfType(SessionLostException.class)
            .isThrownBy(() -> late.assign(joined.renewed().renewed(), Set.of(0)));
      }
    }
  }

  private long renewals() throws SQLException {
    try (Connection connection = database.connectTo(SCHEMA);
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("select renewals from waybill_session")) {
      result.next();
      return result.getLong(1);
    }
  }

  /** A connection that breaks behind a renewal while the test loses answers. */
  private Connection losing(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              Object result = call(() -> method.invoke(connection, arguments));
              return result instanceof PreparedStatement statement
                      && String.valueOf(arguments[0]).contains("lease_until")
                  ? losing(statement)
                  : result;
            });
  }

  private PreparedStatement losing(PreparedStatement statement) {
    return (PreparedStatement)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {PreparedStatement.class},
            (proxy, method, arguments) -> {
              Object result = call(() -> method.invoke(statement, arguments));
              if (method.getName().equals("executeUpdate") && losing.compareAndSet(true, false)) {
                statement.getConnection().close();
                throw new SQLRecoverableException("The answer is lost", "08006");
              }
              return result;
            });
  }

  private interface Call {
    Object made() throws ReflectiveOperationException;
  }

  private static Object call(Call call) throws Throwable {
    try {
      return call.made();
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
