package io.waybill.torture.planted;

import io.waybill.broker.Delivery;
import io.waybill.broker.Subscriber;
import io.waybill.handler.ErrorClassifier;
import io.waybill.handler.TemporaryException;
import io.waybill.store.InboxStore;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Mistakes that can be planted in the consumers of a run. */
public enum ConsumerBug {
  /** None. */
  NONE,
  /** What was delivered is acknowledged before it is handled. */
  ACKNOWLEDGES_FIRST,
  /** Effects are written in a transaction of their own. */
  EFFECT_APART,
  /** It is not noted what was processed. */
  NOTES_NOTHING,
  /** What is deferred is not written down. */
  FORGETS_DEFERRED,
  /** Events have no keys. */
  LOSES_KEYS,
  /** A position is taken for the message that was there once. */
  BELIEVES_POSITIONS,
  /** Partitions that come later are not handled, only acknowledged. */
  IGNORES_NEW_PARTITIONS,
  /** Every error of the database is the event's own fault. */
  BLAMES_THE_EVENT;

  // Those of topics in the beginning.
  private static final int PARTITIONS = 4;

  /**
   * The bug of a name as people write it.
   *
   * @param label lower case, with hyphens
   * @return the bug
   * @throws IllegalArgumentException naming all there are, if there is none of that name
   */
  public static ConsumerBug of(String label) {
    return Arrays.stream(values())
        .filter(bug -> bug != NONE && bug.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "--bug of consumers must be one of %s, is '%s'"
                        .formatted(
                            Arrays.stream(values())
                                .skip(1)
                                .map(ConsumerBug::label)
                                .collect(Collectors.joining(", ")),
                            label)));
  }

  private String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Decorates.
   *
   * @param store the real store
   * @return one with the bug, if it is one of stores
   */
  public InboxStore store(InboxStore store) {
    return switch (this) {
      case NOTES_NOTHING, FORGETS_DEFERRED -> new PlantedInboxStore(store, this);
      default -> store;
    };
  }

  /**
   * Decorates.
   *
   * @param subscriber the real subscriber
   * @return one with the bug, if it is one of subscribers
   */
  public Subscriber subscriber(Subscriber subscriber) {
    return switch (this) {
      case ACKNOWLEDGES_FIRST, LOSES_KEYS, BELIEVES_POSITIONS, IGNORES_NEW_PARTITIONS ->
          new PlantedSubscriber(subscriber, this);
      default -> subscriber;
    };
  }

  /**
   * Which failures may pass.
   *
   * @return the judge
   */
  public ErrorClassifier errors() {
    return this == BLAMES_THE_EVENT
        ? failure -> failure instanceof TemporaryException
        : ErrorClassifier.ofDefaults();
  }

  static boolean isNewPartition(Delivery delivery) {
    String lane = delivery.lane();
    return Integer.parseInt(lane.substring(lane.lastIndexOf('-') + 1)) >= PARTITIONS;
  }
}
