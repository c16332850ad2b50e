package io.waybill.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.broker.Delivery;
import io.waybill.broker.SubscriberListener;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

/** Keeps what a subscriber tells, in order. Thread-safe. */
public final class SubscriberRecorder implements SubscriberListener {
  private final List<Delivery> deliveries = new ArrayList<>();
  private final List<String> transport = new ArrayList<>();
  private final List<String> revoked = new ArrayList<>();
  private final List<String> lost = new ArrayList<>();
  private final Consumer<List<Delivery>> onDelivery;
  private final Consumer<Set<String>> onRevocation;

  /** Keeps deliveries and does nothing else with them. */
  public SubscriberRecorder() {
    this(deliveries -> {}, lanes -> {});
  }

  /**
   * Keeps deliveries and passes them on.
   *
   * @param onDelivery called after they were kept
   * @param onRevocation called when lanes leave that are not lost yet
   */
  public SubscriberRecorder(
      Consumer<List<Delivery>> onDelivery, Consumer<Set<String>> onRevocation) {
    this.onDelivery = onDelivery;
    this.onRevocation = onRevocation;
  }

  @Override
  public void delivered(List<Delivery> all) {
    synchronized (this) {
      deliveries.addAll(all);
    }
    onDelivery.accept(all);
  }

  @Override
  public void revoked(Set<String> lanes, boolean isLost) {
    synchronized (this) {
      (isLost ? lost : revoked).addAll(lanes);
    }
    if (!isLost) {
      onRevocation.accept(lanes);
    }
  }

  @Override
  public synchronized void available() {
    transport.add("available");
  }

  @Override
  public synchronized void unavailable(String reason) {
    transport.add("unavailable: " + reason);
  }

  /**
   * Everything that was delivered.
   *
   * @return a snapshot in the order of arrival
   */
  public synchronized List<Delivery> deliveries() {
    return List.copyOf(deliveries);
  }

  /**
   * The bodies of everything that was delivered.
   *
   * @return texts in the order of arrival
   */
  public List<String> bodies() {
    return bodies(deliveries());
  }

  /**
   * The bodies of deliveries.
   *
   * @param all deliveries with a body
   * @return texts in their order
   */
  public static List<String> bodies(Collection<Delivery> all) {
    return all.stream()
        .map(each -> new String(Objects.requireNonNull(each.body()), UTF_8))
        .toList();
  }

  /**
   * How many were delivered.
   *
   * @return number, copies included
   */
  public synchronized int count() {
    return deliveries.size();
  }

  /**
   * What was told of the broker.
   *
   * @return {@code available} and {@code unavailable: reason} in order
   */
  public synchronized List<String> transport() {
    return List.copyOf(transport);
  }

  /**
   * Lanes that were asked for.
   *
   * @return names in order
   */
  public synchronized List<String> revoked() {
    return List.copyOf(revoked);
  }

  /**
   * Lanes that were gone when it was told.
   *
   * @return names in order
   */
  public synchronized List<String> lost() {
    return List.copyOf(lost);
  }
}
