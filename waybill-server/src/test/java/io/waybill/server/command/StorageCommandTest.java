package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What the tables weigh and who holds the horizon: by command, API and console. */
@Tag("long")
class StorageCommandTest extends ApiOnPostgres {
  private static final String SHOP = "/outboxes/orders";

  private JsonNode answered() throws Exception {
    return ApiServer.json(api.get("viewer", SHOP + "/storage"));
  }

  /** Somebody has opened a transaction and gone for lunch. */
  private Connection lunch(String application) throws SQLException {
    Connection connection = connection();
    connection.setClientInfo("ApplicationName", application);
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          """
          insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
          values ('lunch', 'placed', 'order', 'x', '{}')""");
    }
    return connection;
  }

  private static JsonNode of(JsonNode storage, String application) {
    return storage
        .get("transactions")
        .valueStream()
        .filter(each -> each.get("application").asString("").equals(application))
        .findFirst()
        .orElseThrow(() -> new AssertionError(storage.toString()));
  }

  @Test
  void commandApiAndUrlShowTheTransactionThatHoldsTheHorizon() throws Exception {
    try (Connection lunch = lunch("lunch <b>")) {
      assertThat(lunch.getAutoCommit()).isFalse();
      JsonNode answer = answered();
      JsonNode holder = of(answer, "lunch <b>");
      assertThat(holder.get("kind").asString()).isEqualTo("SESSION");
      assertThat(holder.get("user").asString()).isEqualTo("postgres");
      assertThat(holder.get("state").asString()).isEqualTo("idle in transaction");
      assertThat(answer.get("waiting").asInt()).isEqualTo(2);
      assertThat(answer.get("grant").isNull()).isTrue();

      JsonNode shown = run("storage", "--json").json().get(0);
      assertThat(of(shown, "lunch <b>").get("command")).isEqualTo(holder.get("command"));
      assertThat(shown.get("tables")).hasSameSizeAs(answer.get("tables"));
      assertThat(run("storage").out())
          .contains("waybill_outbox (about ", "session " + holder.get("id").asString() + " of ");
      assertThat(byUrl("storage", "--json").json().get(0).get("transactions"))
          .hasSameSizeAs(answer.get("transactions"));

      String page = page();
      assertThat(page)
          .contains("lunch &lt;b&gt;", "select pg_terminate_backend(", "idle in transaction")
          .doesNotContain("open for longer than a minute");
      sql(holder.get("command").asString());
      assertThat(answered().toString()).doesNotContain("lunch <b>");
    }
  }

  private CommandRun byUrl(String... arguments) throws Exception {
    String login =
        Files.writeString(home().resolve("login"), "viewer:" + ApiServer.password("viewer"))
            .toString();
    return CommandRun.of(Map.of(), with(arguments, "--url", api.url(), "--token-file", login));
  }

  private String page() throws Exception {
    Browser browser = new Browser(api.url());
    browser.login("viewer");
    return browser.page("/console/outboxes/orders/storage").body();
  }

  @Test
  void whatAReaderMayNotSeeIsSaidWithTheGrant() throws Exception {
    sql(
        """
        create role storage_reader login;
        grant select on all tables in schema public to storage_reader;
        grant insert, update, delete on waybill_login to storage_reader""");
    try (Connection lunch = lunch("hidden");
        ApiServer reading =
            ApiServer.start(CommandRun.write(home(), yaml("storage_reader")), users)) {
      JsonNode answer = ApiServer.json(reading.get("viewer", SHOP + "/storage"));
      assertThat(lunch.getAutoCommit()).isFalse();
      assertThat(of(answer, "hidden").get("since").isNull()).isTrue();
      assertThat(answer.get("grant").asString())
          .isEqualTo("grant pg_read_all_stats to storage_reader");
      Browser browser = new Browser(reading.url());
      browser.login("viewer");
      assertThat(browser.page("/console/outboxes/orders/storage").body())
          .contains("grant pg_read_all_stats to storage_reader", "hidden from the database user");
    } finally {
      sql("drop owned by storage_reader; drop role storage_reader");
    }
  }
}
