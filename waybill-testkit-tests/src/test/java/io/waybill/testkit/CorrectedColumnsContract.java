package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.admin.Admin;
import io.waybill.admin.EventDetail;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventView;
import io.waybill.admin.Instruction;
import io.waybill.internal.jdbc.operator.Correction;
import io.waybill.internal.jdbc.operator.Corrections;
import io.waybill.internal.jdbc.operator.Jobs;
import io.waybill.internal.jdbc.operator.RunningJob;
import io.waybill.layout.Layout;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.RowState;
import io.waybill.store.Settlement;
import io.waybill.store.Settlement.HandledRequest;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What of an adopted row is copied when its event is corrected: columns of the table's own too. */
abstract class CorrectedColumnsContract {
  private static final Instruction BY = new Instruction("kim", "ticket 7");
  private static final Correction FIXED =
      new Correction(
          "{\"n\": 1}".getBytes(StandardCharsets.UTF_8),
          null,
          null,
          Map.of("colour", "red", "producer-node", "node-2"));

  abstract TestDatabase database();

  @Test
  void theColumnsOfANotificationAreCopied() throws Exception {
    assertThat(changed(SampleTable.NOTIFICATION, FIXED))
        .containsExactlyInAnyOrder("event_id", "created_at", "payload", "status");
  }

  @Test
  void theColumnsOfAnEventOutboxAreCopied() throws Exception {
    assertThat(changed(SampleTable.EVENT_OUTBOX, FIXED))
        .containsExactlyInAnyOrder(
            "id", "event_key", "created_at", "payload", "status", "attempts", "producer_node");
  }

  @Test
  void theColumnsOfAWalletAreCopied() throws Exception {
    assertThat(changed(SampleTable.WALLET, FIXED))
        .containsExactlyInAnyOrder("id", "created_at", "payload");
  }

  @Test
  void theColumnsOfAPolyshopAreCopied() throws Exception {
    assertThat(changed(SampleTable.POLYSHOP, FIXED))
        .containsExactlyInAnyOrder("id", "created_at", "payload", "error_message");
  }

  @Test
  void aPayloadThatIsNotCorrectedIsCopied() throws Exception {
    Correction type = new Correction(null, null, "right", Map.of());
    assertThat(changed(SampleTable.POLYSHOP, type))
        .containsExactlyInAnyOrder("id", "created_at", "event_type", "error_message");
  }

  /** The columns in which the copy differs from a dead row. */
  private Set<String> changed(SampleTable sample, Correction correction) throws Exception {
    try (LayoutTable table = new LayoutTable(database(), sample)) {
      String outbox = table.fixture.layout().table().name();
      table.fixture.run("alter table " + outbox + " add column tenant varchar(20)");
      table.fixture.run(
          "alter table "
              + outbox
              + " add column initial varchar(1) generated always as (left(tenant, 1)) stored");
      OutboxRow row = table.written();
      table.fixture.run("update " + outbox + " set tenant = 'acme'");
      table.fail(row, RowState.DEAD, 2);
      try (Admin admin = table.fixture.tables().admin()) {
        EventView dead = admin.find(EventFilter.ALL, null, 10).events().get(0);
        String id = corrected(table, admin, dead.eventId(), correction);
        EventDetail copy = admin.show(id).orElseThrow();
        if (correction.equals(FIXED)) {
          assertThat(copy.headersJson()).contains("\"colour\":\"red\"");
          assertThat(copy.payload()).asString(StandardCharsets.UTF_8).contains("\"n\": 1");
        }
        assertThat(copy.event().aggregateId()).isEqualTo(dead.aggregateId());
        assertThat(copy.event().attempts()).isZero();
      }
      List<Map<String, @Nullable String>> rows = rows(table.fixture);
      assertThat(rows)
          .hasSize(2)
          .allMatch(each -> "acme".equals(each.get("tenant")) && "a".equals(each.get("initial")));
      Set<String> changed = new TreeSet<>();
      rows.get(0)
          .forEach(
              (column, value) -> {
                if (!Objects.equals(value, rows.get(1).get(column))) {
                  changed.add(column);
                }
              });
      return changed;
    }
  }

  /** With a relay and a process for the job, as far as both matter here. */
  private static String corrected(
      LayoutTable table, Admin admin, String eventId, Correction correction) {
    Corrections corrections = Corrections.of(admin);
    assertThat(corrections.check(eventId, correction, 10)).isPresent();
    long job = corrections.plan(eventId, BY.by()).id();
    corrections.run(job, correction, BY);
    RunningJob running = Jobs.of(admin).take(job, "a").orElseThrow();
    assertThat(running.ask(1).numbers()).hasSize(1);
    OutboxReader reader = table.reader();
    table.assignAll(reader);
    HandledRequest answer = reader.requests(1).get(0).answer(true, "already dead");
    table
        .store()
        .settle(
            table.session,
            new Settlement(List.of(), List.of(), List.of(), List.of(), List.of(answer)));
    assertThat(running.outcomes(0)).hasSize(1);
    return Objects.requireNonNull(
        corrections.run(job, correction, BY).orElseThrow().correctedBy(), "not corrected");
  }

  private static List<Map<String, @Nullable String>> rows(LayoutFixture fixture)
      throws SQLException {
    Layout layout = fixture.layout();
    List<Map<String, @Nullable String>> rows = new ArrayList<>();
    try (Connection connection = fixture.connect();
        Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery(
                "select * from %s.%s order by created_at"
                    .formatted(layout.table().schema(), layout.table().name()))) {
      while (result.next()) {
        Map<String, @Nullable String> row = new LinkedHashMap<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          row.put(result.getMetaData().getColumnName(i), result.getString(i));
        }
        rows.add(row);
      }
    }
    return rows;
  }
}
