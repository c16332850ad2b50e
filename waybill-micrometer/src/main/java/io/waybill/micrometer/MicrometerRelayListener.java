package io.waybill.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.waybill.internal.observe.BoundedNames;
import io.waybill.observe.RelayEvent;
import io.waybill.observe.RelayListener;

/**
 * Meters for one relay. All carry the tag {@code outbox}; counters about events carry {@code
 * destination} too, with at most 200 different values (the rest share {@code other}).
 *
 * <p>Counters {@code waybill.events.read | published | retried | parked | dead | held | unordered},
 * {@code waybill.relay.fenced | failures | takeovers}, {@code waybill.store.failures}; histograms
 * {@code waybill.latency.creation.to.read | read.to.confirm | confirm.to.mark}; gauges {@code
 * waybill.in.flight | memory | unsettled | keys.blocked | keys.resting | oldest.unpublished.age |
 * backlog.parked | backlog.dead | backlog.held | backlog.bounded | lanes | lanes.owned | relays |
 * publisher.available | breaker.state}. Names follow Micrometer's conventions: units are base units
 * ({@code seconds}, {@code bytes}, {@code events}), which registries add to names in their own way.
 * Age and backlog are those of the whole outbox: all its relays report the same values.
 *
 * <p>Counters begin at 0. Failure counters of a destination begin when its first event was
 * published or failed; those of events without a route, destination {@code ""}, at the start.
 *
 * <p>Thread-safe.
 */
public final class MicrometerRelayListener implements RelayListener {
  private static final int MOST_DESTINATIONS = 200;

  private final EventMeters events;
  private final LatencyMeters latencies;
  private final StateMeters state;

  /**
   * Registers the meters.
   *
   * @param registry where they go
   * @param outbox name of the outbox, value of the tag {@code outbox}
   */
  public MicrometerRelayListener(MeterRegistry registry, String outbox) {
    Tags tags = Tags.of("outbox", outbox);
    BoundedNames names = new BoundedNames(MOST_DESTINATIONS);
    events = new EventMeters(registry, tags, names);
    latencies = new LatencyMeters(registry, tags);
    state = new StateMeters(registry, tags, names);
  }

  @Override
  public void on(RelayEvent event) {
    // The frequent ones first.
    if (event instanceof RelayEvent.Published published) {
      events.published(published);
      latencies.published(published);
    } else if (event instanceof RelayEvent.Read read) {
      events.read(read);
    } else if (event instanceof RelayEvent.Gauges gauges) {
      state.gauges(gauges);
    } else if (event instanceof RelayEvent.LanesViewed view) {
      state.lanes(view);
    } else {
      failure(event);
    }
  }

  private void failure(RelayEvent event) {
    if (event instanceof RelayEvent.Retried retried) {
      events.retried(retried);
    } else if (event instanceof RelayEvent.Parked parked) {
      events.parked(parked);
    } else if (event instanceof RelayEvent.Dead dead) {
      events.dead(dead);
    } else if (event instanceof RelayEvent.Held held) {
      events.held(held);
    } else if (event instanceof RelayEvent.OrderedByChance chance) {
      events.orderedByChance(chance);
    } else if (event instanceof RelayEvent.BreakerChanged change) {
      state.breaker(change);
    } else if (event instanceof RelayEvent.StoreFailed failed) {
      state.storeFailed(failed);
    } else {
      lifeCycle(event);
    }
  }

  private void lifeCycle(RelayEvent event) {
    if (event instanceof RelayEvent.LanesChanged change) {
      state.lanes(change);
    } else if (event instanceof RelayEvent.Backlog backlog) {
      state.backlog(backlog);
    } else if (event instanceof RelayEvent.Ended ended) {
      state.ended(ended);
    } else if (event instanceof RelayEvent.Fenced) {
      state.fenced();
    } else if (event instanceof RelayEvent.TakenOver taken) {
      state.takenOver(taken);
    } else if (event instanceof RelayEvent.Left) {
      state.left();
    } else if (event instanceof RelayEvent.PublisherUnavailable) {
      state.available(false);
    } else if (event instanceof RelayEvent.PublisherAvailable) {
      state.available(true);
    }
  }
}
