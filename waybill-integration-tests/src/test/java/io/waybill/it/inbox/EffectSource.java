package io.waybill.it.inbox;

import java.time.Duration;
import java.util.List;

/** What the suites of inboxes need of a broker. */
interface EffectSource extends AutoCloseable {
  /** Kind and address for {@link EffectConsumer}. */
  String kind();

  String address();

  /** Creates topics or queues with several lanes and names them. */
  List<String> create(String name);

  void publish(String name, List<Copies.Copy> copies);

  /** Creates a topic or queue that nothing is published to but dead letters. */
  void createLetters(String destination);

  /** Bodies of the messages in a topic or queue, which stay there. */
  List<String> bodies(String destination);

  /** Messages of topics or queues that nobody has acknowledged. Nobody consumes them meanwhile. */
  long unacknowledged(List<String> sources);

  /** How long consumers hold what is not told as unacknowledged while they run. */
  default Duration held() {
    return Duration.ZERO;
  }

  /** Ends the broker without warning. */
  void kill();

  /** Starts it again on the same data and address. */
  void start();

  /** Ends the broker and deletes its data. */
  @Override
  void close();
}
