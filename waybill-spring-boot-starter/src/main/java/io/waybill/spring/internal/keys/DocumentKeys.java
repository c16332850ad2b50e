package io.waybill.spring.internal.keys;

import io.waybill.spring.properties.WaybillProperties;
import io.waybill.spring.properties.WaybillProperties.LayoutName;
import io.waybill.spring.properties.WaybillProperties.Poll;
import io.waybill.spring.properties.WaybillProperties.PollMode;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.env.Environment;

/**
 * The keys that the notification system's producer has for its pace. They hold for each outbox of
 * that layout, as far as Waybill's own keys say nothing.
 *
 * @param interval {@code notification.outbox.poll.interval}
 * @param initialDelay {@code notification.outbox.initial.delay}
 * @param batch {@code notification.outbox.batch.size}
 * @param problems where a value that does not fit an outbox is added
 */
record DocumentKeys(
    @Nullable Duration interval,
    @Nullable Duration initialDelay,
    @Nullable Integer batch,
    Problems problems) {
  private static final String PREFIX = "notification.outbox.";
  private static final String BATCH = "batch.size";
  private static final Duration LONGEST = Duration.ofHours(1);

  /** None of them. */
  static final DocumentKeys NONE = new DocumentKeys(null, null, null, new Problems());

  /** Those of an environment, if there is an outbox to which they are addressed. */
  static DocumentKeys of(WaybillProperties all, Environment environment, Problems problems) {
    boolean addressed =
        all.outbox().layout() == LayoutName.NOTIFICATION
            || all.outboxes().values().stream()
                .anyMatch(each -> each.layout() == LayoutName.NOTIFICATION);
    if (!addressed) {
      return NONE;
    }
    Problems own = problems.with(PREFIX::concat);
    Binder binder = Binder.get(environment);
    return new DocumentKeys(
        time(binder, "poll.interval", Duration.ofMillis(1), own),
        time(binder, "initial.delay", Duration.ZERO, own),
        number(binder, BATCH, own),
        own);
  }

  /** The pace of an outbox. */
  Poll poll(LayoutName layout, Poll own, int maxRows) {
    if (layout != LayoutName.NOTIFICATION) {
      return own;
    }
    if (batch != null && own.batch() == null) {
      problems.between(BATCH, batch, 1, maxRows);
    }
    boolean paced =
        own.interval() != null
            || own.min() != null
            || own.max() != null
            || own.mode() == PollMode.ADAPTIVE;
    return new Poll(
        own.mode(),
        own.min(),
        own.max(),
        paced ? own.interval() : interval,
        own.initialDelay() == null ? initialDelay : own.initialDelay(),
        own.batch() == null && isWithin(maxRows) ? batch : own.batch());
  }

  private boolean isWithin(int maxRows) {
    return batch != null && batch >= 1 && batch <= maxRows;
  }

  private static @Nullable Duration time(
      Binder binder, String key, Duration least, Problems problems) {
    String text = text(binder, key);
    if (text == null) {
      return null;
    }
    try {
      Duration value = DurationStyle.detectAndParse(text, ChronoUnit.MILLIS);
      problems.between(key, value, least, LONGEST);
      return value.compareTo(least) < 0 ? null : value;
    } catch (IllegalArgumentException | ArithmeticException e) {
      problems.add(key, "must be a number of milliseconds, or a time with a unit", text);
      return null;
    }
  }

  private static @Nullable Integer number(Binder binder, String key, Problems problems) {
    String text = text(binder, key);
    if (text == null) {
      return null;
    }
    try {
      return Integer.valueOf(text);
    } catch (NumberFormatException e) {
      problems.add(key, "must be a whole number", text);
      return null;
    }
  }

  private static @Nullable String text(Binder binder, String key) {
    return binder.bind(PREFIX + key, String.class).orElse(null);
  }
}
