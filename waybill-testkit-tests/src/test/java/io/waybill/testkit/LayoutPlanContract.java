package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.database.SideNames;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.table.TableSideReads;
import io.waybill.internal.jdbc.table.TableTerms;
import io.waybill.layout.RowIdKind;
import io.waybill.store.LaneStore;
import io.waybill.testkit.StoreFixture.WrittenEvent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** From the tables beside an outbox to its rows, the outbox's primary key is used. */
abstract class LayoutPlanContract {
  private static final int ROWS = 2000;

  static Stream<SampleTable> samples() {
    return Stream.of(
        SampleTable.NOTIFICATION,
        SampleTable.EVENT_OUTBOX,
        SampleTable.WALLET,
        SampleTable.POLYSHOP,
        SampleTable.COLLATED,
        SampleTable.OWN);
  }

  abstract TestDatabase database();

  /** Asks for a plan that has one line for each table. */
  String explain() {
    return "explain ";
  }

  /** How a plan says that rows of the outbox, named o, come from its primary key. */
  abstract String byPrimaryKey();

  @ParameterizedTest
  @MethodSource("samples")
  void joinsFromTheTablesBesideUseThePrimaryKey(SampleTable sample) throws SQLException {
    LayoutFixture fixture = new LayoutFixture(database(), sample);
    SqlDialect dialect = database().dialect();
    SideNames names = SideNames.of(fixture.layout());
    TableSideReads reads =
        new TableSideReads(new TableTerms(fixture.layout(), dialect, names), dialect);
    fill(fixture);
    try (Connection connection = fixture.connect();
        LaneStore lanes = fixture.lanes()) {
      long fence = lanes.join("reading", Duration.ofMinutes(1)).fence();
      dialect.readerSession().run(connection, "plans", Duration.ofSeconds(10));
      assertThat(plan(connection, reads.failedRows(1, false, false), 0L, fence, 10L, 1L << 20))
          .containsPattern(byPrimaryKey());
      assertThat(plan(connection, reads.heldRows(1), "order", "1", fence, 10L, 1L << 20))
          .containsPattern(byPrimaryKey());
      assertThat(plan(connection, reads.orphanedHeld(1, false, false), 0L))
          .containsPattern(byPrimaryKey());
      assertThat(plan(connection, reads.requests(1), 0L, 0L, 10L, 1L << 20))
          .containsPattern(byPrimaryKey());
    }
  }

  private static void fill(LayoutFixture fixture) throws SQLException {
    fixture.reset();
    List<WrittenEvent> events =
        IntStream.range(0, ROWS).mapToObj(i -> WrittenEvent.of("e" + i, "1")).toList();
    try (Connection connection = fixture.connect()) {
      connection.setAutoCommit(false);
      for (WrittenEvent event : events) {
        fixture.insert(connection, event);
      }
      connection.commit();
    }
    for (int i = 0; i < 3; i++) {
      fixture.recordBeside("e" + i * 7);
    }
    fixture.analyze();
  }

  /** Lanes are bound as one value or as an array of it; what the database lacks is left out. */
  private String plan(Connection connection, String sql, Object... values) throws SQLException {
    SqlDialect dialect = database().dialect();
    StringBuilder plan = new StringBuilder();
    try (PreparedStatement statement = connection.prepareStatement(explain() + sql)) {
      int places = statement.getParameterMetaData().getParameterCount();
      for (int i = 0; i < places; i++) {
        if (i == 0 && values[0] instanceof Long lane) {
          dialect.bindOneOf(statement, 1, RowIdKind.LONG, List.of(lane));
        } else {
          statement.setObject(i + 1, values[i]);
        }
      }
      try (ResultSet result = statement.executeQuery()) {
        int columns = result.getMetaData().getColumnCount();
        while (result.next()) {
          for (int column = 1; column <= columns; column++) {
            plan.append(result.getString(column)).append(column == columns ? "\n" : " ");
          }
        }
      }
    }
    return plan.toString();
  }
}
