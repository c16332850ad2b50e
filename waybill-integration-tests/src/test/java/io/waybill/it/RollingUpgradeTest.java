package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.proof.oracle.Verdict;
import io.waybill.proof.server.PostgresServer;
import io.waybill.testkit.Patience;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Relays of the previous and of this build on one schema, which is migrated under load. */
@Tag("server")
@Tag("long")
class RollingUpgradeTest {
  private static final Duration PATIENCE = Patience.of(Duration.ofMinutes(3));
  private static final int RATE = 150;
  private static final int ARRIVALS = 400;
  private static final int KILLS = 2;

  /** What a migration may do: only add, and nothing that old statements would have to fill. */
  private static final List<String> NEXT_MIGRATION =
      List.of(
          "alter table waybill_outbox add column next_text text",
          "alter table waybill_outbox add column next_number integer not null default 7",
          "alter table waybill_session add column next_text text",
          "alter table waybill_lane add column next_text text",
          "alter table waybill_row_state add column next_flag boolean not null default false",
          "create index concurrently next_index on waybill_outbox (next_text, id)",
          "create table next_table (id bigint primary key)");

  @Test
  void relaysOfTwoBuildsShareASchemaThatIsMigratedUnderLoad() {
    PreviousBuild previous = PreviousBuild.get();
    try (PostgresServer postgres = PostgresServer.launch();
        KafkaUnderTest kafka = new KafkaUnderTest();
        World world =
            new World(postgres, kafka, "upgrade", connection -> create(connection, previous))) {
      RelayProcess first = world.relay(previous.program(), "old-1");
      RelayProcess second = world.relay(previous.program(), "old-2");
      try (Shop shop = world.shop(RATE)) {
        awaitRelays(world, 2);
        world.execute(RollingUpgradeTest::migrate);
        awaitArrivals(world);
        RelayProcess third = world.relay("new-1");
        awaitRelays(world, 3);
        assertThat(first.stop()).isZero();
        awaitRelays(world, 2);
        assertThat(world.verdict().duplicates()).as("before the first kill").isZero();

        third.kill();
        awaitRelays(world, 1);
        world.relay("new-2");
        awaitRelays(world, 2);
        second.kill();
        awaitRelays(world, 1);
        assertThat(shop.written()).isGreaterThan(ARRIVALS);
      }
      verify(world);
    }
  }

  private static void verify(World world) {
    Verdict verdict = world.converge(PATIENCE);
    assertThat(verdict.clean()).as("%s %s", verdict, world.logs()).isTrue();
    assertThat(verdict.duplicates())
        .as(verdict.toString())
        .isLessThanOrEqualTo(KILLS * World.MAX_IN_FLIGHT);
    assertThat(world.setAside()).isEmpty();
    world.checkRelays();
  }

  private static void create(Connection connection, PreviousBuild previous) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(previous.schema());
    }
  }

  /** What this build's scripts add, and what a later one could. */
  private static void migrate(Connection connection) throws SQLException {
    Schemas.apply(connection);
    try (Statement statement = connection.createStatement()) {
      for (String sql : NEXT_MIGRATION) {
        statement.execute(sql);
      }
    }
  }

  /** Until so many relays own all lanes, and events have come through them. */
  private static void awaitRelays(World world, int count) {
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              world.checkRelays();
              return world.count("select count(distinct fence) from waybill_lane") == count
                  && world.count("select count(*) from waybill_session") == count
                  && world.count("select count(*) from waybill_lane where fence is null") == 0;
            });
    awaitArrivals(world);
  }

  private static void awaitArrivals(World world) {
    long goal = world.spy().distinct() + ARRIVALS;
    await().atMost(PATIENCE).until(() -> world.spy().distinct() >= goal);
  }
}
