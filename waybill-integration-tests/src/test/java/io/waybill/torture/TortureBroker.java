package io.waybill.torture;

import io.waybill.proof.oracle.Spy;
import io.waybill.proof.proxy.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/** A broker of a run. Methods are called by one thread at a time. */
interface TortureBroker extends AutoCloseable {
  static TortureBroker launch(Pair pair, String password) {
    return pair.kafka() ? new TortureKafka() : new TortureRabbit(password);
  }

  /** Lines of the outbox's configuration, for a broker behind a port. */
  String configuration(int port);

  /** Starts a proxy in front of it. */
  Proxy proxy();

  /** Whether it tells its clients one address, so that there can be one proxy only. */
  boolean hasOneAddress();

  /**
   * Creates the table's destinations.
   *
   * @param keep how long those keep what they have that delete by time
   */
  void create(OutboxTable table, Duration keep);

  Spy spy(OutboxTable table);

  /** Creates what consumers read, and a producer. */
  Feed feed();

  /** Where clients find it, behind a port of this machine. */
  default String address(int port) {
    return "127.0.0.1:" + port;
  }

  /** How many messages it has deleted because of their times. */
  long deletedByTime();

  void kill();

  void start();

  void freeze();

  void thaw();

  /** Whether {@link #alarm} and {@link #full} do something. */
  boolean hasAlarm();

  /** Raises or ends an alarm that makes the broker take nothing. */
  void alarm(boolean raised);

  /** Makes it take its disk for full, or not; only where it has alarms. */
  void full(boolean full);

  /** Kinds of refusal that its destinations can be brought to, once they are created. */
  Set<FaultKind> refusals();

  /** Brings one destination to refuse what is sent to it, while others flow. */
  Refusal refuse(FaultKind kind, int dice);

  /**
   * A destination that refuses.
   *
   * @param destination which one
   * @param repair ends that
   */
  record Refusal(String destination, Runnable repair) {}

  /** Connections and channels that clients hold, or 0 where the broker does not tell. */
  long connections();

  Path folder();

  @Override
  void close();
}
