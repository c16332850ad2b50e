package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.admin.Admin;
import io.waybill.admin.AuditEntry;
import io.waybill.admin.EventDetail;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventView;
import io.waybill.admin.Instruction;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.SideNames;
import io.waybill.internal.jdbc.outbox.TableOptions;
import io.waybill.internal.jdbc.outbox.TableOutbox;
import io.waybill.jdbc.TableSchema;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.layout.TableName;
import io.waybill.store.OperatorRequest.Verb;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the role of operators can do, which is everything that their commands need. */
@Tag("server")
class OperatorRoleTest {
  private static final String SCHEMA = "operator_role";
  private static final Instruction BY = new Instruction("kim", "too large");
  private final TestDatabase database = new PostgresTestDatabase();
  private final Layout layout = Layouts.WALLET.table(new TableName(SCHEMA, "outbox"));

  private Admin admin(String role) {
    ConnectionFactory connections =
        () -> {
          Connection connection = database.connectTo(SCHEMA);
          TableSchema.run(connection, "set role " + role);
          return connection;
        };
    return TableOutbox.of(connections, layout, database.kind(), TableOptions.defaults(layout))
        .admin();
  }

  @Test
  void anOperatorAsksAndSeesNoPayload() throws SQLException {
    try (Connection connection = database.createSchema(SCHEMA)) {
      TableSchema.run(connection, TableSchema.documentedTable("wallet", database.kind()));
      TableSchema tables = TableSchema.of(layout, database.kind(), SideNames.of(layout), 1);
      tables.apply(connection);
      for (String role : List.of("role_writer", "role_relay", "role_operator", "role_reader")) {
        TableSchema.run(connection, "drop role if exists " + role + ";\ncreate role " + role);
      }
      TableSchema.run(
          connection, tables.grants("role_writer", "role_relay", "role_operator", "role_reader"));
      TableSchema.run(
          connection,
          """
          insert into outbox (event_type, payload, correlation_id)
          values ('FundsAdded', '{"secret":1}', '42');
          insert into waybill_outbox_row_state
            (row_id, row_created, lane, state, attempts, unknown_outcome, last_reason, last_detail)
          select id, (extract(epoch from created_at) * 1000000)::bigint, 0, 'PARKED', 10, false,
            'record-too-large', '2000000 bytes'
          from outbox""");
    }
    String id;
    try (Admin relay = admin("role_relay")) {
      EventView event = relay.find(EventFilter.ALL, null, 10).events().get(0);
      id = event.eventId();
      assertThat(event.payloadBytes()).isPositive();
    }
    try (Admin operator = admin("role_operator")) {
      assertThat(operator.find(EventFilter.ALL, null, 10).events())
          .singleElement()
          .returns(null, EventView::payloadBytes);
      assertThat(operator.show(id)).get().returns(null, EventDetail::payload);
      assertThat(operator.request(Verb.SKIP, EventFilter.ids(List.of(id)), 10, BY)).isEqualTo(1);
      operator.pause("orders", true, BY);
      operator.pause("orders", true, new Instruction("lee", "again"));
      assertThat(operator.destinations()).singleElement().returns("too large", d -> d.reason());
      assertThat(operator.audit(Long.MAX_VALUE, 10))
          .extracting(AuditEntry::earlierReason)
          .containsExactly("too large", null, "record-too-large: 2000000 bytes");
      assertThat(operator.counts().requests()).isEqualTo(1);
    }
    try (Admin reader = admin("role_reader")) {
      assertThat(reader.find(EventFilter.ALL, null, 10).events()).hasSize(1);
      assertThat(reader.audit(Long.MAX_VALUE, 10)).hasSize(3);
    }
  }
}
