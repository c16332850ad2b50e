package io.waybill.torture;

import io.waybill.it.RelayProcess;
import io.waybill.server.assemble.PlantedRelay;
import io.waybill.testkit.ProcessGuard;
import io.waybill.torture.planted.FailingRelay;
import io.waybill.torture.planted.PlantedBug;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The relays of a run. One that ends by itself is started again after a moment, as a service
 * manager would; that it did is kept. Thread-safe.
 */
final class Fleet implements AutoCloseable {
  private static final long RESTART_MILLIS = 1_000;
  private static final List<String> FAILING =
      List.of("-cp", System.getProperty("java.class.path"), FailingRelay.class.getName());

  /** A relay that ended although nobody ended it. */
  record SelfEnded(String relay, int exitCode, long atMillis) {}

  private static final class Member {
    private final String name;
    private @Nullable RelayProcess process;
    private boolean wanted;
    private long endedMillis;

    private Member(String name) {
      this.name = name;
    }
  }

  private final ProcessGuard guard;
  private final Path folder;
  private final Stage stage;
  private final Map<String, String> environment;
  private final List<String> build;
  private final List<Member> members = new ArrayList<>();
  private final List<SelfEnded> selfEnded = new ArrayList<>();

  Fleet(
      ProcessGuard guard,
      Path folder,
      Stage stage,
      Map<String, String> environment,
      @Nullable PlantedBug bug) {
    this.guard = guard;
    this.folder = folder;
    this.stage = stage;
    this.environment = environment;
    this.build = bug == null ? FAILING : planted(bug);
    for (int i = 0; i < FaultPlan.RELAYS; i++) {
      members.add(new Member(name(i)));
    }
  }

  /**
   * Lets the next call of one of its threads fail.
   *
   * @param error with an error, which ends the relay, else with an exception
   */
  void fail(int relay, boolean error) {
    try {
      Files.writeString(failure(name(relay)), error ? "error" : "exception");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Takes back what has not happened yet; false if there was something. */
  boolean failNoMore(int relay) {
    try {
      return !Files.deleteIfExists(failure(name(relay)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path failure(String name) {
    return folder.resolve(name + ".failure");
  }

  private static List<String> planted(PlantedBug bug) {
    String classes = System.getProperty("java.class.path");
    return List.of("-cp", classes, PlantedRelay.class.getName(), bug.name());
  }

  static String name(int relay) {
    return "relay-" + (relay + 1);
  }

  void startAll() {
    for (int i = 0; i < members.size(); i++) {
      start(i);
    }
  }

  synchronized void start(int relay) {
    Member member = members.get(relay);
    member.wanted = true;
    member.process =
        RelayProcess.start(
            build,
            guard,
            folder,
            member.name,
            stage.relayConfiguration(relay),
            environment(member));
  }

  private Map<String, String> environment(Member member) {
    Map<String, String> all = new TreeMap<>(environment);
    all.putAll(stage.clocks().environment(member.name));
    all.put(FailingRelay.FILE, failure(member.name).toString());
    return all;
  }

  void kill(int relay) {
    unwanted(relay).kill();
  }

  /** Stops it gracefully and says with which exit code it ended. */
  int stop(int relay) {
    return unwanted(relay).stop();
  }

  void freeze(int relay) {
    process(relay).freeze();
  }

  void thaw(int relay) {
    process(relay).thaw();
  }

  private synchronized RelayProcess unwanted(int relay) {
    members.get(relay).wanted = false;
    return process(relay);
  }

  private synchronized RelayProcess process(int relay) {
    RelayProcess process = members.get(relay).process;
    if (process == null) {
      throw new IllegalStateException(name(relay) + " was never started");
    }
    return process;
  }

  /** Process ids of the relays that run, by name. */
  synchronized Map<String, Long> pids() {
    Map<String, Long> pids = new TreeMap<>();
    for (Member member : members) {
      RelayProcess process = member.process;
      if (process != null && process.isAlive()) {
        pids.put(member.name, process.pid());
      }
    }
    return pids;
  }

  synchronized List<SelfEnded> selfEnded() {
    return List.copyOf(selfEnded);
  }

  /** Notes relays that ended by themselves and starts them again; to be called often. */
  synchronized void supervise() {
    long now = System.currentTimeMillis();
    for (int i = 0; i < members.size(); i++) {
      Member member = members.get(i);
      RelayProcess process = member.process;
      if (!member.wanted || process == null || process.isAlive()) {
        continue;
      }
      if (member.endedMillis == 0) {
        member.endedMillis = now;
        selfEnded.add(new SelfEnded(member.name, process.exitCode(), now));
      } else if (now - member.endedMillis >= RESTART_MILLIS) {
        member.endedMillis = 0;
        start(i);
      }
    }
  }

  List<Path> logs() {
    return members.stream().map(member -> folder.resolve(member.name + ".out")).toList();
  }

  @Override
  public synchronized void close() {
    for (Member member : members) {
      member.wanted = false;
      if (member.process != null) {
        member.process.close();
      }
    }
  }
}
