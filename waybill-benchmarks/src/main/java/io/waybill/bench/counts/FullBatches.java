package io.waybill.bench.counts;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.broker.PublisherListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A broker that confirms when as much is out as a settlement takes, or when all is: so every
 * settlement is full, however slow the machine. Used by the relay's own thread.
 */
final class FullBatches implements Publisher {
  // More than a batch has of one key: order is not what is counted.
  private static final int PER_KEY = 1000;

  private final int batch;
  private final long events;
  private final List<Long> out = new ArrayList<>();
  private long confirmed;
  private @Nullable PublisherListener listener;

  FullBatches(int batch, long events) {
    this.batch = batch;
    this.events = events;
  }

  @Override
  public void start(PublisherListener told) {
    listener = told;
    told.available();
  }

  @Override
  public void send(Outgoing message) {
    out.add(message.sendId());
  }

  @Override
  public void flush() {
    if (out.size() >= batch || confirmed + out.size() == events) {
      PublisherListener told = Objects.requireNonNull(listener, "not started");
      out.forEach(id -> told.onConfirmation(new Confirmation.Confirmed(id)));
      confirmed += out.size();
      out.clear();
    }
  }

  @Override
  public int maxInFlightPerKey() {
    return PER_KEY;
  }

  @Override
  public Duration deliveryTimeout() {
    return Duration.ofSeconds(5);
  }

  @Override
  public void close() {}
}
