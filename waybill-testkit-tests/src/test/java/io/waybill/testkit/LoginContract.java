package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.admin.Admin;
import io.waybill.internal.jdbc.operator.Logins;
import io.waybill.internal.jdbc.operator.Logins.Life;
import io.waybill.internal.jdbc.operator.Logins.Login;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Logins of browsers are kept, found and forgotten, beside any table. */
abstract class LoginContract extends OperatedContract {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Life LIFE = new Life(HOUR, HOUR.multipliedBy(12));
  private static final Login ALICE = new Login("alice", null, "proof");

  private Admin admin;

  @BeforeEach
  void open() {
    admin = admin();
  }

  @AfterEach
  void close() {
    admin.close();
  }

  private Logins logins(Life life) {
    return Logins.of(admin, life);
  }

  private static String hash(String of) {
    return of.repeat(64).substring(0, 64);
  }

  private void sql(String statement) throws SQLException {
    try (Connection connection = fixture().connect();
        Statement one = connection.createStatement()) {
      one.execute(statement);
    }
  }

  private void used(String before) throws SQLException {
    String table = fixture().table("login");
    sql("update %s set used_at = began_at - interval %s".formatted(table, before));
  }

  @Test
  void aLoginIsThereUntilItEnds() {
    Logins logins = logins(LIFE);
    Login issued = new Login("J\u00f6rg Gro\u00df", "ROLE_WAYBILL_VIEWER ROLE_X", "other");
    logins.begin(hash("a"), ALICE);
    logins.begin(hash("b"), issued);
    assertThat(logins.find(hash("a"), true)).contains(ALICE);
    assertThat(logins.find(hash("b"), true)).contains(issued);
    assertThat(logins.find(hash("c"), true)).isEmpty();
    logins.end(hash("a"));
    logins.end(hash("a"));
    assertThat(logins.find(hash("a"), true)).isEmpty();
    assertThat(logins.find(hash("b"), true)).isPresent();
  }

  @Test
  void aLoginEndsWhenItIsOldOrWasNotUsed() throws SQLException {
    Logins logins = logins(LIFE);
    logins.begin(hash("a"), ALICE);
    used("'59' minute");
    assertThat(logins.find(hash("a"), false)).isPresent();
    used("'61' minute");
    assertThat(logins.find(hash("a"), true)).isEmpty();
    used("'59' minute");
    assertThat(logins.find(hash("a"), true)).isPresent();
    assertThat(logins(new Life(Duration.ofMinutes(1), HOUR)).find(hash("a"), false))
        .as("it was used")
        .isPresent();
    assertThat(logins(new Life(HOUR, Duration.ZERO)).find(hash("a"), true)).isEmpty();

    assertThat(logins.forget()).isZero();
    assertThat(logins(new Life(HOUR, Duration.ZERO)).forget()).isOne();
    logins.begin(hash("b"), ALICE);
    used("'61' minute");
    assertThat(logins.forget()).isOne();
    assertThat(logins.find(hash("b"), false)).isEmpty();
  }

  @Test
  void ofAUserTheOldestEndsForOneMore() {
    Logins logins = logins(LIFE);
    logins.begin(hash("z"), new Login("bob", null, "proof"));
    for (int i = 0; i < Logins.MOST_OF_A_USER + 3; i++) {
      logins.begin(hash(i + "x"), ALICE);
    }
    for (int i = 0; i < Logins.MOST_OF_A_USER + 3; i++) {
      assertThat(logins.find(hash(i + "x"), false).isPresent()).as("login " + i).isEqualTo(i >= 3);
    }
    assertThat(logins.find(hash("z"), false)).isPresent();
  }

  @Test
  void withoutTheTableEachCallSaysWhatMendsThat() throws SQLException {
    Logins logins = logins(LIFE);
    rename("", "_away");
    try {
      assertThatThrownBy(() -> logins.begin(hash("a"), ALICE))
          .isInstanceOf(Logins.MissingTableException.class)
          .hasMessageContainingAll("login is missing", "fix: waybill schema apply");
      assertThatThrownBy(() -> logins.find(hash("a"), true))
          .isInstanceOf(Logins.MissingTableException.class);
      assertThatThrownBy(() -> logins.end(hash("a")))
          .isInstanceOf(Logins.MissingTableException.class);
    } finally {
      rename("_away", "");
    }
    logins.begin(hash("a"), ALICE);
    assertThat(logins.find(hash("a"), true)).contains(ALICE);
  }

  private void rename(String from, String to) throws SQLException {
    String schema = fixture().table("login").replaceAll("[^.]*$", "");
    String table = fixture().table("login").substring(schema.length()).replaceAll("[`\"]", "");
    try (Connection connection = fixture().connect()) {
      boolean postgres = connection.getMetaData().getDatabaseProductName().equals("PostgreSQL");
      sql(
          "alter table %s rename to %s"
              .formatted(schema + table + from, (postgres ? "" : schema) + table + to));
    }
  }
}
