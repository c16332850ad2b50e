package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.server.terminal.ExitCode;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What consumers have deferred, in the tables of their inboxes. */
class ConsumersCommandTest extends CommandsOnPostgres {
  @Test
  void consumersAreListedWithWhatTheyHaveDeferred() throws SQLException {
    CommandRun without = run("consumers");
    assertThat(without.code()).isEqualTo(ExitCode.FINDINGS);
    assertThat(without.err()).contains("schema apply");
    assertThat(run("schema", "apply", "--inbox").code()).isEqualTo(ExitCode.OK);
    assertThat(run("consumers").out()).isEqualTo("No consumer has noted anything.\n");
    sql(
        "insert into waybill_inbox_lane values ('billing', 'orders-0', 's', 7), ('mail', 'q', 's', 1)");
    sql(
        """
        insert into waybill_inbox_deferred (consumer, event_id, event_type, source, order_key, message_key, behind,
          attempts, due_at, failure, message_micros)
        values ('billing', 'e1', 'placed', 'orders', 'k', '', false, 3, '2026-01-01T00:00:00Z', 'no answer', 0),
          ('billing', 'e2', 'placed', 'orders', 'k', '', true, 0, '2025-01-01T00:00:00Z', 'behind e1', 0)""");

    JsonNode consumers = run("consumers", "--json").json();

    assertThat(consumers).hasSize(2);
    JsonNode billing = consumers.get(0);
    assertThat(billing.get("consumer").asString()).isEqualTo("billing");
    assertThat(billing.get("lanes").asInt()).isEqualTo(1);
    assertThat(billing.get("deferred").asInt()).isEqualTo(2);
    assertThat(billing.get("behind").asInt()).isEqualTo(1);
    assertThat(billing.get("nextEventId").asString()).isEqualTo("e1");
    assertThat(billing.get("nextAttemptAt").asString()).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(billing.get("failure").asString()).isEqualTo("no answer");
    assertThat(consumers.get(1).get("deferred").asInt()).isZero();
  }
}
