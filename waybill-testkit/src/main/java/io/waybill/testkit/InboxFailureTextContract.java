package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.database.DatabaseKind;
import io.waybill.handler.ErrorClassifier;
import io.waybill.handler.EventHandler;
import io.waybill.inbox.Inbox;
import io.waybill.message.Transport;
import io.waybill.observe.InboxEvent;
import io.waybill.policy.RetryPolicy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What an inbox says of a handler's failure carries no values of rows: neither what it tells its
 * listeners, which is what stands in the log, nor dead letters, nor the table of deferred events.
 */
public abstract class InboxFailureTextContract extends InboxContract {
  private static final String SECRET = "jane.doe@example.org";

  private final HandBroker broker = new HandBroker();
  private final List<String> told = new CopyOnWriteArrayList<>();
  private final List<Inbox> inboxes = new ArrayList<>();

  @BeforeEach
  void createPersons() throws SQLException {
    execute("drop table if exists person");
    execute(
        """
        create table person (
          email varchar(64) not null, age int, constraint person_email unique (email))""");
    execute("insert into person (email, age) values ('" + SECRET + "', 1)");
  }

  @AfterEach
  void end() {
    inboxes.forEach(inbox -> inbox.stop(Duration.ZERO));
  }

  private void start(ErrorClassifier errors, EventHandler handler) {
    RetryPolicy once = RetryPolicy.builder().attemptLimit(1).build();
    inboxes.add(
        Inbox.builder()
            .store(open("a"))
            .subscriber(broker)
            .deadLetters(broker, Transport.KAFKA)
            .errors(errors)
            .settings(defaults -> defaults.retries(once, defaults.retries()))
            .listener(this::hear)
            .handler(HandBroker.TYPE, handler)
            .start());
    broker.deliver(List.of("p1"));
  }

  private void hear(InboxEvent event) {
    told.add(event.toString());
  }

  private String letter() {
    Awaitility.await().until(() -> !broker.letters.isEmpty() && broker.acknowledged.size() == 1);
    byte[] body = broker.letters.get(0).body();
    return broker.letters.get(0).headers() + new String(body, StandardCharsets.UTF_8);
  }

  private static void add(Connection connection) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("insert into person (email) values (?)")) {
      insert.setString(1, SECRET);
      insert.executeUpdate();
    }
  }

  private void assertNothingIsTold() {
    assertThat(told).noneMatch(event -> event.contains(SECRET));
  }

  @Test
  void aDuplicateKeyIsNamedByItsConstraint() {
    start(ErrorClassifier.ofDefaults(), (event, connection) -> add(connection));

    assertThat(letter()).contains("SQLState 23", "person_email").doesNotContain(SECRET);
    assertNothingIsTold();
  }

  @Test
  void soIsOneThatIsWrapped() {
    start(
        ErrorClassifier.ofDefaults(),
        (event, connection) -> {
          try {
            add(connection);
          } catch (SQLException e) {
            throw new IllegalStateException("PreparedStatementCallback; " + e.getMessage(), e);
          }
        });

    assertThat(letter())
        .contains("IllegalStateException", "SQLState 23", "person_email")
        .doesNotContain(SECRET);
    assertNothingIsTold();
  }

  @Test
  void aBatchDoesNotShowItsStatements() {
    start(
        ErrorClassifier.ofDefaults(),
        (event, connection) -> {
          try (Statement batch = connection.createStatement()) {
            batch.addBatch("insert into person (email) values ('x')");
            batch.addBatch("insert into person (email) values ('" + SECRET + "')");
            batch.executeBatch();
          }
        });

    assertThat(letter()).contains("SQLState 23").doesNotContain(SECRET);
    assertNothingIsTold();
  }

  @Test
  void aValueThatDoesNotFitIsNotShown() {
    start(
        ErrorClassifier.ofDefaults(),
        (event, connection) -> {
          try (Statement update = connection.createStatement()) {
            update.execute(
                "insert into person (email, age) values ('y', cast('"
                    + SECRET
                    + "' as "
                    + (kind() == DatabaseKind.POSTGRESQL ? "integer" : "unsigned")
                    + "))");
          }
        });

    assertThat(letter()).contains("SQLState 22").doesNotContain(SECRET);
    assertNothingIsTold();
  }

  @Test
  void theTableOfDeferredEventsDoesNotShowItEither() throws SQLException {
    start(
        ErrorClassifier.ofDefaults().alsoTemporary(Set.of(SQLException.class)),
        (event, connection) -> add(connection));

    Awaitility.await().until(() -> broker.acknowledged.size() == 1);
    assertThat(texts("select failure from waybill_inbox_deferred"))
        .singleElement()
        .asString()
        .contains("SQLState 23", "person_email")
        .doesNotContain(SECRET);
    assertNothingIsTold();
  }
}
