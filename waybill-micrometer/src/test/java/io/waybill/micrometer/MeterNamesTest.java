package io.waybill.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.waybill.observe.InboxEvent;
import io.waybill.observe.RelayEvent;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Every meter against the naming rules of Micrometer ("Naming Meters": lower case, words separated
 * by dots, units as base units) and of Prometheus ("Metric and label naming": base units as
 * suffixes, {@code _total} for counters alone, no labels in names; checks of {@code promtool check
 * metrics}).
 */
class MeterNamesTest {
  private static final Pattern NAME = Pattern.compile("waybill(\\.[a-z]+)+");
  private static final Pattern TAG = Pattern.compile("[a-z]+(\\.[a-z]+)*");
  private static final Set<String> UNITS = Set.of("seconds", "bytes", "events", "messages");
  private static final Set<String> NO_PART_OF_A_NAME =
      Set.of(
          "seconds",
          "second",
          "millis",
          "milliseconds",
          "micros",
          "bytes",
          "kilobytes",
          "rows",
          "total",
          "count",
          "sum",
          "bucket",
          "counter",
          "gauge",
          "timer",
          "histogram");

  /** Makes every meter that there is. */
  private static void fill(MicrometerRelayListener relay, MicrometerInboxListener inbox) {
    relay.on(new RelayEvent.Published("e1", "placed", null, "orders", 1, 1, 1));
    relay.on(new RelayEvent.BreakerChanged("orders", RelayEvent.BreakerState.OPEN, "why"));
    InboxEvent.About about = new InboxEvent.About("e1", "placed", "orders", null);
    inbox.on(new InboxEvent.Handled(about, 1, 1));
    inbox.on(new InboxEvent.Open(Map.of("orders-0", Duration.ofSeconds(1))));
  }

  private static List<Meter> meters() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    fill(
        new MicrometerRelayListener(registry, "orders"),
        new MicrometerInboxListener(registry, "stock"));
    new WaybillBuildMetrics().bindTo(registry);
    // What the registry itself makes of a histogram is left out.
    return registry.getMeters().stream()
        .filter(meter -> meter.getId().getTag("le") == null)
        .toList();
  }

  private static String scraped() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    fill(
        new MicrometerRelayListener(registry, "orders"),
        new MicrometerInboxListener(registry, "stock"));
    new WaybillBuildMetrics().bindTo(registry);
    return registry.scrape();
  }

  @Test
  void namesAndTagsFollowMicrometer() {
    assertThat(meters())
        .hasSizeGreaterThan(50)
        .allSatisfy(
            meter -> {
              Meter.Id id = meter.getId();
              assertThat(id.getName()).matches(NAME);
              assertThat(id.getName().split("\\.")).doesNotContainAnyElementsOf(NO_PART_OF_A_NAME);
              assertThat(id.getTags()).extracting(Tag::getKey).allMatch(TAG.asMatchPredicate());
              assertThat(id.getDescription()).as("%s", id).isNotBlank();
              if (id.getBaseUnit() != null) {
                assertThat(UNITS).as("%s", id).contains(id.getBaseUnit());
              }
            });
  }

  @Test
  void metersOfOneNameHaveTheSameTags() {
    Map<String, Set<String>> tags = new HashMap<>();
    for (Meter meter : meters()) {
      Set<String> keys =
          meter.getId().getTags().stream()
              .map(Tag::getKey)
              .collect(Collectors.toCollection(TreeSet::new));
      assertThat(tags.computeIfAbsent(meter.getId().getName(), name -> keys)).isEqualTo(keys);
    }
  }

  @Test
  void whatPrometheusGetsFollowsItsRules() {
    Matcher types = Pattern.compile("# TYPE (\\S+) (\\S+)").matcher(scraped());
    Map<String, String> found = new HashMap<>();
    while (types.find()) {
      assertThat(found.put(types.group(1), types.group(2))).as("one type of %s", types).isNull();
    }
    assertThat(found)
        .hasSizeGreaterThan(40)
        .allSatisfy(
            (name, type) -> {
              assertThat(name).matches("[a-z]+(_[a-z]+)*");
              assertThat(name.endsWith("_total")).as(name).isEqualTo(type.equals("counter"));
              assertThat(name).doesNotContain("_milli", "_micro", "_kilo", "seconds_seconds");
              if (type.equals("histogram")) {
                assertThat(name).endsWith("_seconds");
              }
            });
    assertThat(scraped()).contains("waybill_build_info{version=\"");
  }

  @Test
  void theNamesThatAlertsUse() {
    assertThat(names())
        .contains(
            "waybill_oldest_unpublished_age_seconds",
            "waybill_backlog_parked_events",
            "waybill_backlog_dead_events",
            "waybill_backlog_held_events",
            "waybill_events_read_total",
            "waybill_events_parked_total",
            "waybill_in_flight_events",
            "waybill_memory_bytes",
            "waybill_latency_creation_to_read_seconds",
            "waybill_inbox_dead_lettered_total",
            "waybill_inbox_oldest_open_age_seconds",
            "waybill_inbox_delivery_to_commit_seconds");
  }

  private static List<String> names() {
    return scraped()
        .lines()
        .filter(line -> line.startsWith("# TYPE "))
        .map(line -> line.substring("# TYPE ".length(), line.lastIndexOf(' ')))
        .toList();
  }
}
