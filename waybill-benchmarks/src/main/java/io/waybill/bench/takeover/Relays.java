package io.waybill.bench.takeover;

import io.waybill.bench.child.ChildMain.Role;
import io.waybill.bench.measure.Pause;
import io.waybill.bench.measure.Settings;
import io.waybill.bench.stage.Child;
import io.waybill.bench.stage.Child.Program;
import io.waybill.bench.stage.Closing;
import io.waybill.proof.proxy.Protocol;
import io.waybill.proof.proxy.Proxy;
import io.waybill.proof.proxy.Toxic;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** The relays of a run, each in a process of its own. Used by one thread. */
final class Relays implements AutoCloseable {
  static final int HEAP_MB = 256;
  static final Duration LIMIT = Duration.ofMinutes(1);
  private static final Duration LOOK = Duration.ofMillis(50);
  // As ./waybill starts one.
  private static final Program RELAY =
      Program.of(
          Role.WAYBILL,
          Runtime.getRuntime().availableProcessors() <= 2
              ? List.of("-XX:TieredStopAtLevel=1")
              : List.of());

  private final Settings settings;
  private final Path log;
  private final Lanes lanes;
  private final Closing all = new Closing();
  private final Deque<Child> spares = new ArrayDeque<>();
  // The oldest one first.
  private final Deque<Member> running = new ArrayDeque<>();
  private final Deque<Member> frozen = new ArrayDeque<>();
  private final Set<Long> ended = new HashSet<>();

  private final boolean networked;
  private final Duration between;
  private final Map<Child, Proxy> networks = new HashMap<>();
  private final Deque<Member> silenced = new ArrayDeque<>();

  private record Member(Child child, long fence) {}

  Relays(Settings settings, Path log, Lanes lanes, boolean networked, Duration between) {
    this.between = between;
    this.networked = networked;
    this.settings = settings;
    this.log = log;
    this.lanes = lanes;
  }

  /** Starts processes that wait: the start of a virtual machine is not what is measured. */
  void prepare(int count) {
    for (int i = spares.size(); i < count; i++) {
      spares.add(child());
    }
    spares.forEach(spare -> spare.await("ready", LIMIT));
  }

  /** Behind a network of its own only where that is cut: it takes time. */
  private Child child() {
    if (!networked) {
      return all.add(Child.start(RELAY, settings, HEAP_MB, log));
    }
    String url = settings.text("database");
    int port = URI.create(url.substring("jdbc:".length())).getPort();
    Proxy network = all.add(Proxy.start(Protocol.PLAIN, port));
    Settings through = settings.with("database", network.through(url));
    Child child = all.add(Child.start(RELAY, through, HEAP_MB, log));
    networks.put(child, network);
    return child;
  }

  /** Starts one more relay; returns when it has a session. */
  void start() {
    if (spares.isEmpty()) {
      prepare(1);
    }
    Set<Long> known = lanes.sessions();
    Child child = spares.remove();
    child.say("go");
    Set<Long> joined = new HashSet<>();
    await(
        "a session",
        () -> {
          joined.addAll(lanes.sessions());
          joined.removeAll(known);
          return !joined.isEmpty();
        });
    running.add(new Member(child, joined.iterator().next()));
  }

  /** Starts so many that there are as many as asked for. */
  void startUpTo(int count) {
    while (running.size() < count) {
      start();
    }
  }

  /** Ends the newest ones at once, without warning. */
  void kill(int count) {
    List<Member> killed = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      killed.add(running.removeLast());
    }
    killed.forEach(member -> member.child().kill());
    killed.forEach(member -> ended.add(member.fence()));
    killed.forEach(member -> member.child().close());
  }

  /** Stops the newest one from running. */
  void freeze() {
    Member member = running.removeLast();
    ended.add(member.fence());
    frozen.add(member);
    member.child().freeze();
  }

  /** Lets it run again, and ends it as {@link #stopNewest} does. */
  void thaw() {
    Member member = frozen.remove();
    member.child().thaw();
    end(member);
  }

  /** The newest one and the database hear nothing of each other any more. */
  void silence() {
    Member member = running.removeLast();
    ended.add(member.fence());
    silenced.add(member);
    network(member).add(Toxic.blackHole());
  }

  /** The network is mended, and the relay ended as {@link #stopNewest} does. */
  void hear() {
    Member member = silenced.remove();
    network(member).heal();
    end(member);
  }

  private Proxy network(Member member) {
    return Objects.requireNonNull(networks.get(member.child()));
  }

  /** Asks the newest one to end, and waits for that. */
  void stopNewest() {
    end(running.removeLast());
  }

  /** The same with the oldest one. */
  private void stopOldest() {
    end(running.remove());
  }

  private void end(Member member) {
    ended.add(member.fence());
    member.child().say("stop");
    member.child().awaitEnd(LIMIT);
  }

  /**
   * All of them, one after the other. The next one waits, as one does that has to be ready first.
   */
  void replaceAll() {
    int count = running.size();
    for (int i = 0; i < count; i++) {
      if (i > 0) {
        Pause.of(between);
      }
      stopOldest();
      start();
      awaitEven(count);
    }
  }

  /** Ends the connection that holds the lock of the newest one's session. */
  void endLock() {
    lanes.endLock(running.getLast().fence());
  }

  /** Ends all connections that relays have to the database. */
  void endConnections() {
    lanes.endConnections();
  }

  /** Waits until so many relays share all lanes. */
  void awaitEven(int count) {
    await("even share of %d relays".formatted(count), () -> lanes.owners().evenAmong(count, ended));
  }

  private static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException("no %s in %d s".formatted(what, LIMIT.toSeconds()));
      }
      Pause.of(LOOK);
    }
  }

  double peakRssMb() {
    return running.stream().mapToDouble(member -> member.child().peakRssMb()).max().orElse(0);
  }

  void stopAll() {
    while (!running.isEmpty()) {
      stopOldest();
    }
  }

  @Override
  public void close() {
    all.close();
  }
}
