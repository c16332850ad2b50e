package io.waybill.testkit;

import io.waybill.broker.Subscriber;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What {@link SubscriberContract} needs of a broker and of the subscriber under test. */
public interface ContractSource {
  /**
   * Creates a source with one lane that keeps its order whoever reads.
   *
   * @param name short name in lower case, again when a test is run again
   * @return a new source, as deliveries name it
   */
  String create(String name);

  /**
   * A subscriber that nobody has started. All subscribers of a source are one group: one of them
   * has its lane at a time.
   *
   * @param sources what it reads, none of them missing
   * @param window deliveries of a lane that may be unacknowledged, more or less
   * @return new subscriber, closed by the suite
   */
  Subscriber subscriber(List<String> sources, int window);

  /**
   * The same on a connection that {@link #cut} cuts.
   *
   * @param source what it reads
   * @return new subscriber, closed by the suite
   */
  Subscriber cuttable(String source);

  /** Cuts the connections of the cuttable subscribers and refuses new ones. */
  void cut();

  /** Lets them connect again. */
  void heal();

  /**
   * Most deliveries of a lane that may be unacknowledged, or on their way when a lane is held.
   *
   * @param window what {@link #subscriber} was given
   * @return bound that the subscriber keeps
   */
  int mostOut(int window);

  /**
   * Stores messages in order and waits until the broker has them.
   *
   * @param source where to
   * @param key key of all of them, or null
   * @param bodies their bodies
   */
  void publish(String source, @Nullable String key, List<String> bodies);

  /** Kills the broker without warning and waits for its end. */
  void kill();

  /** Starts the killed broker again with the same data and address and waits until it answers. */
  void restart();
}
