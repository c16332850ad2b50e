package io.waybill.testkit;

import io.waybill.broker.Confirmation;
import io.waybill.broker.PublisherListener;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Keeps what a publisher reports. Thread-safe. */
public final class PublisherRecorder implements PublisherListener {
  private final Map<Long, Confirmation> outcomes = new ConcurrentHashMap<>();
  private final Map<Long, Long> reportedAt = new ConcurrentHashMap<>();
  private final List<Long> repeated = new CopyOnWriteArrayList<>();
  private final List<String> transport = new CopyOnWriteArrayList<>();
  private final AtomicInteger count = new AtomicInteger();

  @Override
  public void onConfirmation(Confirmation confirmation) {
    reportedAt.putIfAbsent(confirmation.sendId(), System.nanoTime());
    if (outcomes.putIfAbsent(confirmation.sendId(), confirmation) != null) {
      repeated.add(confirmation.sendId());
    }
    count.incrementAndGet();
  }

  @Override
  public void unavailable(String reason) {
    transport.add("unavailable");
  }

  @Override
  public void available() {
    transport.add("available");
  }

  @Override
  public void failed(Throwable cause) {
    transport.add("failed");
  }

  /**
   * The first outcome of a send.
   *
   * @param sendId the send
   * @return outcome, null while there is none
   */
  public @Nullable Confirmation outcome(long sendId) {
    return outcomes.get(sendId);
  }

  /**
   * When the outcome of a send was reported.
   *
   * @param sendId a send with an outcome
   * @return reading of {@link System#nanoTime}
   */
  public long reportedAt(long sendId) {
    return reportedAt.getOrDefault(sendId, Long.MAX_VALUE);
  }

  /**
   * Whether a send was confirmed.
   *
   * @param sendId the send
   * @return false also while there is no outcome
   */
  public boolean confirmed(long sendId) {
    return outcomes.get(sendId) instanceof Confirmation.Confirmed;
  }

  /**
   * Sends that were reported more than once.
   *
   * @return send ids, empty when the publisher keeps its contract
   */
  public List<Long> repeated() {
    return repeated;
  }

  /**
   * How many outcomes were reported.
   *
   * @return number of reports
   */
  public int count() {
    return count.get();
  }

  /**
   * What was reported about the broker as a whole.
   *
   * @return {@code unavailable}, {@code available} and {@code failed} in order
   */
  public List<String> transport() {
    return transport;
  }
}
