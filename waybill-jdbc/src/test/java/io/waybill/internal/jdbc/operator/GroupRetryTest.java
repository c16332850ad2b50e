package io.waybill.internal.jdbc.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.admin.AuditEntry;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import io.waybill.admin.FailureGroup;
import io.waybill.admin.Instruction;
import io.waybill.internal.jdbc.operator.GroupRetry.Plan;
import io.waybill.store.OperatorRequest.Verb;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How fast the events of a group are asked for, where each is published at once. */
class GroupRetryTest {
  private static final EventFilter GROUP = FailureGroup.filter(EventStatus.PARKED, "g");
  private static final long STEP = 100_000_000L;

  private final List<String> waiting =
      new ArrayList<>(IntStream.range(1000, 2000).mapToObj(Integer::toString).toList());
  private final List<AuditEntry> audit = new ArrayList<>();

  private final EventRequests events =
      new EventRequests() {
        @Override
        public List<EventView> find(EventFilter filter, @Nullable String after, int limit) {
          return waiting.stream()
              .filter(id -> filter.group() != null || filter.eventIds().contains(id))
              .limit(limit)
              .map(GroupRetryTest::parked)
              .toList();
        }

        @Override
        public int request(Verb verb, EventFilter filter, int limit, Instruction by) {
          filter.eventIds().forEach(id -> audit.add(done(audit.size() + 1, id)));
          waiting.removeAll(filter.eventIds());
          return filter.eventIds().size();
        }

        @Override
        public List<AuditEntry> audit(long beforeId, int limit) {
          List<AuditEntry> latest = new ArrayList<>(audit);
          Collections.reverse(latest);
          return latest.stream().filter(entry -> entry.id() < beforeId).limit(limit).toList();
        }
      };

  private static EventView parked(String id) {
    return new EventView(
        id,
        id,
        id,
        "placed",
        "order",
        id,
        0,
        EventStatus.PARKED,
        1,
        false,
        null,
        "nack",
        "no",
        Instant.EPOCH,
        "orders",
        false,
        null,
        Instant.EPOCH,
        null,
        null);
  }

  private static AuditEntry done(long id, String event) {
    Instant now = Instant.EPOCH;
    return new AuditEntry(
        id, now, "test", "RETRY", event, null, "test", now, true, "tried now", "test", null, null);
  }

  private static GroupRetry retry(EventRequests events, int canary, int rate) {
    return new GroupRetry(events, new Plan(GROUP, canary, rate, 5), new Instruction("me", "test"));
  }

  @Test
  void noMoreThanTheRateIsAskedForInASecond() {
    GroupRetry retry = retry(events, 5, 50);
    long now = 0;
    boolean ended = retry.step(now);
    int before = retry.progress().requested();
    assertThat(before).isEqualTo(5);
    for (int second = 0; second < 5; second++) {
      for (int i = 0; i < 10; i++) {
        now += STEP;
        ended |= retry.step(now);
      }
      assertThat(retry.progress().requested() - before).isBetween(40, 55);
      before = retry.progress().requested();
    }
    assertThat(ended).isFalse();
  }

  @Test
  void whatWasMissedIsNotMadeUpFor() {
    GroupRetry retry = retry(events, 0, 50);
    boolean unused = retry.step(0) || retry.step(10 * STEP);
    int before = retry.progress().requested();
    long late = 100 * STEP;
    for (int i = 0; i <= 10; i++) {
      unused |= retry.step(late + i * STEP);
    }
    assertThat(unused).isFalse();
    assertThat(retry.progress().requested() - before).isLessThanOrEqualTo(100);
  }
}
