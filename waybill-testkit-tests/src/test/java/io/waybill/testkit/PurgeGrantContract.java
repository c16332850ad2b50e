package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.admin.Admin;
import io.waybill.admin.AuditEntry;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.Instruction;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.SchemaOptions;
import io.waybill.internal.jdbc.operator.MissingGrantException;
import io.waybill.internal.jdbc.operator.Removal;
import io.waybill.internal.jdbc.outbox.TableOptions;
import io.waybill.internal.jdbc.outbox.TableOutbox;
import io.waybill.jdbc.Schema;
import io.waybill.jdbc.TableSchema;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An operator removes dead events with the grant that is printed for it, and not without. */
abstract class PurgeGrantContract extends OperatedContract {
  private static final Instruction BY = new Instruction("kim", "ticket 7");

  @Override
  protected abstract LayoutFixture fixture();

  private Admin as(String user) {
    Layout layout = fixture().layout;
    ConnectionFactory connections = () -> fixture().database.connectAs(fixture().schema(), user);
    return TableOutbox.of(
            connections, layout, fixture().dialect.kind(), TableOptions.defaults(layout))
        .admin();
  }

  private String grants(String writer, String relay, String operator, String reader) {
    return Layouts.isOwn(fixture().layout)
        ? own().grants(writer, relay, operator, reader)
        : adopted().grants(writer, relay, operator, reader);
  }

  private String purgeGrant(String role) {
    return Layouts.isOwn(fixture().layout) ? own().purgeGrant(role) : adopted().purgeGrant(role);
  }

  private Schema own() {
    return Schema.of(
        fixture().dialect.kind(), SchemaOptions.ofDefaults().schema(fixture().schema()));
  }

  private TableSchema adopted() {
    return TableSchema.of(fixture().layout, fixture().dialect.kind(), fixture().names, 64);
  }

  @Test
  void anOperatorRemovesDeadEventsWithThePrintedGrant() throws SQLException {
    states();
    String operator = "purge_operator";
    try (Connection connection = fixture().connect()) {
      List<String> users = List.of("purge_writer", "purge_relay", operator, "purge_reader");
      for (String user : users) {
        fixture().database.createUser(connection, fixture().schema(), user);
      }
      TableSchema.run(connection, grants(users.get(0), users.get(1), users.get(2), users.get(3)));
    }
    List<String> dead;
    try (Admin admin = as(operator)) {
      dead = List.of(id(admin, "dead"));
      assertThatThrownBy(() -> Removal.of(admin, dead, BY))
          .isInstanceOf(MissingGrantException.class)
          .hasMessageContaining("DELETE of ")
          .hasMessageContaining("--purge-grant ROLE");
      assertThat(found(admin, EventFilter.status(EventStatus.DEAD))).containsExactly("dead");
    }
    try (Connection connection = fixture().connect()) {
      TableSchema.run(connection, purgeGrant(operator));
    }
    try (Admin admin = as(operator)) {
      assertThat(Removal.of(admin, dead, BY)).isEqualTo(dead);
      assertThat(found(admin, EventFilter.status(EventStatus.DEAD))).isEmpty();
      assertThat(admin.audit(Long.MAX_VALUE, 1))
          .singleElement()
          .returns("PURGE", AuditEntry::verb)
          .returns("kim", AuditEntry::requestedBy);
    }
  }
}
