package io.waybill.bench.compare;

import static io.waybill.bench.compare.Lines.drained;
import static io.waybill.bench.compare.Lines.live;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.bench.report.Measured.Figure;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShortfallsTest {
  @Test
  void aWaybillThatReachesEverythingHasNone() {
    assertThat(
            Shortfalls.of(
                List.of(
                    drained("waybill-delete", 60_000, 30_000, 0.010, 150),
                    live("waybill-relay", 1, 5, 0),
                    drained("debezium", 40_000, 20_000, 0.020, 400),
                    drained("namastack", 6_000, 3_000, 0.10, 400),
                    live("transaction-outbox", 0.5, 9, 100))))
        .isEmpty();
  }

  @Test
  void ratesAreHeldAgainstDebeziumAndTheOthersWarmAndCold() {
    assertThat(
            Shortfalls.of(
                List.of(
                    drained("waybill-delete", 59_999, 29_999, 0.001, 1),
                    drained("debezium", 40_000, 20_000, 1, 400),
                    drained("namastack", 6_000, 3_000, 1, 400))))
        .containsExactly(
            "waybill-delete: warm drain, 1.5 x debezium: 59,999, target at least 60,000",
            "waybill-delete: cold drain, 1.5 x debezium: 29,999, target at least 30,000",
            "waybill-delete: warm drain, 10.0 x namastack: 59,999, target at least 60,000",
            "waybill-delete: cold drain, 10.0 x namastack: 29,999, target at least 30,000");
  }

  @Test
  void cpuAndMemoryAreHeldAgainstEachRival() {
    assertThat(
            Shortfalls.of(
                List.of(
                    drained("waybill-keep", 1e6, 1e6, 0.012, 401),
                    drained("debezium", 1, 1, 0.020, 400),
                    drained("tutorial", 1, 1, 0.100, 500))))
        .containsExactly(
            "waybill-keep: 0.5 x relay CPU of debezium: 0.01200, target at most 0.01000",
            "waybill-keep: peak memory MB, debezium: 401, target at most 400",
            "waybill-keep: 0.1 x relay CPU of tutorial: 0.01200, target at most 0.01000");
  }

  @Test
  void theMedianIsHeldAgainstThoseThatKeepOrderOnlyAndTheTailAgainstAll() {
    assertThat(
            Shortfalls.of(
                List.of(
                    live("waybill-relay", 4, 11, 0),
                    live("namastack", 3, 50, 0),
                    live("debezium", 3, 50, 1),
                    live("transaction-outbox", 1, 10, 0))))
        .containsExactly(
            "waybill-relay: p50 ms of namastack: 4.000, target at most 3.000",
            "waybill-relay: p99 ms of transaction-outbox: 11.00, target at most 10.00");
  }

  @Test
  void twoInstancesHotKeyLoopAndWhatMayNotHappenAreTargetsOfTheirOwn() {
    assertThat(
            Shortfalls.of(
                List.of(
                    Lines.with(
                        "waybill-delete",
                        Map.of(
                            Figure.RATE, 50_000.0,
                            Figure.TWO_INSTANCES_RATE, 49_000.0,
                            Figure.HOT_KEY_RATE, 19_000.0,
                            Figure.RATIO_TO_LOOP, 1.7,
                            Figure.LOST, 1.0,
                            Figure.DUPLICATES, 2.0,
                            Figure.INVERSIONS, 3.0)))))
        .containsExactly(
            "waybill-delete: drain, x loop: 1.700, target at least 1.800",
            "waybill-delete: one hot key, events/s: 19,000, target at least 20,000",
            "waybill-delete: two instances, events/s, against one: 49,000, target at least 50,000",
            "waybill-delete: lost: 1.000, target at most 0.000",
            "waybill-delete: duplicates: 2.000, target at most 0.000",
            "waybill-delete: order inversions: 3.000, target at most 0.000");
  }
}
