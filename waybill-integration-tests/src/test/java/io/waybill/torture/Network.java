package io.waybill.torture;

import io.waybill.proof.proxy.Action;
import io.waybill.proof.proxy.Direction;
import io.waybill.proof.proxy.FrameKind;
import io.waybill.proof.proxy.Match;
import io.waybill.proof.proxy.Protocol;
import io.waybill.proof.proxy.Proxy;
import io.waybill.proof.proxy.Rule;
import io.waybill.proof.proxy.Toxic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The proxies between processes, writers and their servers: one to the database and one to the
 * broker for each process, but one for all to Kafka, which tells its clients a single address.
 */
final class Network implements AutoCloseable {
  private static final Toxic HOLE = Toxic.blackHole();
  private static final Toxic LATENCY = Toxic.latency(Duration.ofMillis(60), Duration.ofMillis(200));
  private static final Toxic BANDWIDTH = Toxic.bandwidth(200_000);
  private static final int MOST_FRAMES = 20;

  private final List<Proxy> databases = new ArrayList<>();
  private final List<Proxy> brokers = new ArrayList<>();
  private final Proxy writers;

  Network(Protocol database, int databasePort, TortureBroker broker) {
    this.writers = Proxy.start(database, databasePort);
    for (int i = 0; i < FaultPlan.PROCESSES; i++) {
      databases.add(Proxy.start(database, databasePort));
    }
    for (int i = 0; i < (broker.hasOneAddress() ? 1 : FaultPlan.PROCESSES); i++) {
      brokers.add(broker.proxy());
    }
  }

  int writersPort() {
    return writers.port();
  }

  int databasePort(int process) {
    return databases.get(process).port();
  }

  int brokerPort(int process) {
    return broker(process).port();
  }

  private Proxy broker(int process) {
    return brokers.get(brokers.size() == 1 ? 0 : process);
  }

  private Proxy of(FaultPlan.Entry entry) {
    return switch (entry.kind().place()) {
      case DATABASE_LINK -> databases.get(entry.process());
      case BROKER_LINK -> broker(entry.process());
      case WRITERS_LINK -> writers;
      case RELAY,
          RELAY_CLOCK,
          CONSUMER,
          CONSUMERS,
          TOPIC,
          DATABASE,
          BROKER,
          DESTINATION,
          PEOPLE,
          WRITERS ->
          throw new IllegalArgumentException(entry.kind() + " is no fault of the network");
    };
  }

  /** From now on, the database is another server. */
  void follow(int databasePort) {
    databases.forEach(proxy -> proxy.redirect(databasePort));
    writers.redirect(databasePort);
  }

  void begin(FaultPlan.Entry entry) {
    Proxy proxy = of(entry);
    switch (entry.kind()) {
      case DATABASE_HOLE, BROKER_HOLE -> proxy.add(HOLE);
      case DATABASE_SLOW, BROKER_SLOW -> {
        proxy.add(LATENCY);
        proxy.add(BANDWIDTH);
      }
      case DATABASE_RESET, BROKER_RESET -> {
        proxy.refuse();
        proxy.reset();
      }
      case COMMIT_REPLY_LOST, WRITER_COMMIT_REPLY_LOST -> {
        lose(proxy, Match.commitReply(), entry);
        lose(proxy, Match.autocommitReply(), entry);
      }
      case CONFIRM_LOST -> {
        lose(proxy, Match.of(Direction.TO_CLIENT, FrameKind.BASIC_ACK), entry);
        lose(proxy, Match.produceResponse(), entry);
      }
      default -> throw new IllegalArgumentException(entry.kind().label());
    }
  }

  /** The frame and all later ones until the fault ends, or its connection with it. */
  private static void lose(Proxy proxy, Match match, FaultPlan.Entry entry) {
    int dice = entry.dice();
    Rule.Counted frame = Rule.on(match).nth(1 + dice % MOST_FRAMES);
    boolean writers = entry.kind() == FaultKind.WRITER_COMMIT_REPLY_LOST;
    // Writers have no time limit: a lost reply alone would keep them waiting for ever.
    int way = writers ? 0 : dice / MOST_FRAMES % 3;
    proxy.add(
        frame.before(
            switch (way) {
              case 0 -> Action.reset();
              case 1 -> Action.blackHole();
              default -> Action.drop();
            }));
  }

  /** Ends it; what lost bytes is reset. */
  void end(FaultPlan.Entry entry) {
    of(entry).heal();
  }

  /** What all proxies did, a line each. */
  Stream<String> history() {
    return proxies().flatMap(proxy -> proxy.history().entries().stream()).map(Object::toString);
  }

  /** How many frames were lost on purpose. */
  long rulesFired() {
    return proxies()
        .flatMap(proxy -> proxy.history().entries().stream())
        .filter(fired -> fired.rule() != null)
        .count();
  }

  private Stream<Proxy> proxies() {
    return Stream.of(databases, brokers, List.of(writers)).flatMap(List::stream);
  }

  @Override
  public void close() {
    databases.forEach(Proxy::close);
    brokers.forEach(Proxy::close);
    writers.close();
  }
}
