package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.admin.Admin;
import io.waybill.admin.EventFilter;
import io.waybill.admin.Instruction;
import io.waybill.database.Retention;
import io.waybill.database.Retention.Purged;
import io.waybill.store.OperatorRequest.Verb;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import io.waybill.testkit.StoreFixture.Ability;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Published events are removed when they were kept long enough, and no others. */
abstract class RetentionContract extends OperatedContract {
  private static final Purged NOTHING = new Purged(0, false);

  private Retention retention() {
    return fixture().tables().retention();
  }

  @Test
  void publishedRowsAloneAreRemoved() throws SQLException {
    needs(Ability.KEPT_EVENTS, Ability.PUBLISHED_TIME);
    states();
    try (Admin admin = admin();
        Retention retention = retention()) {
      assertThat(retention.purge(Duration.ofDays(1), 1000)).isEqualTo(NOTHING);
      assertThat(found(admin, EventFilter.ALL)).hasSize(6);
      assertThat(retention.purge(Duration.ZERO, 1000)).isEqualTo(new Purged(1, false));
      assertThat(found(admin, EventFilter.ALL))
          .containsExactly("retry", "parked", "dead", "held", "new");
    }
  }

  @Test
  void rowsThatSomebodyAskedForStay() throws SQLException {
    needs(Ability.KEPT_EVENTS, Ability.PUBLISHED_TIME);
    states();
    try (Admin admin = admin();
        Retention retention = retention()) {
      EventFilter done = EventFilter.ids(List.of(id(admin, "done")));
      assertThat(admin.request(Verb.REPLAY, done, 1, new Instruction("kim", "again"))).isOne();
      assertThat(retention.purge(Duration.ZERO, 1000)).isEqualTo(NOTHING);
      assertThat(found(admin, EventFilter.ALL)).contains("done");
    }
  }

  @Test
  void smallBatchesGoOnBehindRowsThatAreTooYoung() throws SQLException {
    needs(Ability.KEPT_EVENTS, Ability.PUBLISHED_TIME);
    Session session = owner();
    String[] names = IntStream.range(0, 10).mapToObj(i -> "e" + i).toArray(String[]::new);
    store().settle(session, Settlement.published(written(names)));
    fixture().publishedInTheFuture("e0", "e1", "e2");
    try (Admin admin = admin();
        Retention retention = retention()) {
      int removed = 0;
      Purged purged;
      do {
        purged = retention.purge(Duration.ZERO, 2);
        assertThat(purged.removed()).isLessThanOrEqualTo(2);
        removed += purged.removed();
      } while (purged.more());
      assertThat(removed).isEqualTo(7);
      assertThat(found(admin, EventFilter.ALL)).containsExactly("e0", "e1", "e2");
    }
  }

  @Test
  void tablesThatCannotBeCleanedAreRefusedWithTheReason() {
    if (!has(Ability.KEPT_EVENTS)) {
      assertThatThrownBy(this::retention)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("deletes published rows immediately");
    } else if (!has(Ability.PUBLISHED_TIME)) {
      assertThatThrownBy(this::retention)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("no column for the time of publishing");
    } else {
      try (Retention retention = retention()) {
        assertThat(retention.purge(Duration.ZERO, 1)).isEqualTo(NOTHING);
      }
    }
  }
}
