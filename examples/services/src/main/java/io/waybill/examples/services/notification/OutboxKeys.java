package io.waybill.examples.services.notification;

import java.time.Duration;
import java.util.Map;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;

/**
 * The producer's keys {@code notification.outbox.*} as its document names them. A time is a number
 * of milliseconds, or has a unit.
 *
 * @param poll when the table is read
 * @param batch how much at a time
 * @param initial what comes first
 */
record OutboxKeys(
    @DefaultValue Poll poll, @DefaultValue Batch batch, @DefaultValue Initial initial) {
  private static final String PREFIX = "notification.outbox";
  private static final Duration LONGEST = Duration.ofHours(1);
  private static final int LARGEST = 8_000;

  /**
   * {@code poll.*}.
   *
   * @param interval pause between reads, from 1 ms to 1 h
   */
  record Poll(@DefaultValue("1000") Duration interval) {
    Poll {
      between("poll.interval", interval, Duration.ofMillis(1));
    }
  }

  /**
   * {@code batch.*}.
   *
   * @param size most rows of a read that follows a pause, from 1 to 8000
   */
  record Batch(@DefaultValue("100") int size) {
    Batch {
      if (size < 1 || size > LARGEST) {
        throw new IllegalArgumentException(
            PREFIX + ".batch.size must be from 1 to " + LARGEST + ", but is " + size);
      }
    }
  }

  /**
   * {@code initial.*}.
   *
   * @param delay time before the first read, from 0 to 1 h
   */
  record Initial(@DefaultValue("2000") Duration delay) {
    Initial {
      between("initial.delay", delay, Duration.ZERO);
    }
  }

  private static void between(String key, Duration value, Duration least) {
    if (value.compareTo(least) < 0 || value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "%s.%s must be from %d to %d ms, but is %d"
              .formatted(PREFIX, key, least.toMillis(), LONGEST.toMillis(), value.toMillis()));
    }
  }

  /**
   * Reads the keys.
   *
   * @throws org.springframework.boot.context.properties.bind.BindException if a value or a key is
   *     wrong
   */
  static OutboxKeys of(Environment environment) {
    return Binder.get(environment)
        .bindOrCreate(
            PREFIX,
            Bindable.of(OutboxKeys.class),
            new NoUnboundElementsBindHandler(
                BindHandler.DEFAULT, new UnboundElementsSourceFilter()));
  }

  /** What they mean to the relay. */
  PropertySource<?> waybills() {
    return new MapPropertySource(
        PREFIX,
        Map.of(
            "waybill.poll.interval", poll.interval(),
            "waybill.poll.batch", batch.size(),
            "waybill.poll.initial-delay", initial.delay()));
  }
}
