package io.waybill.torture;

import io.waybill.it.RelayProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The processes of a run. One that ends by itself is started again after a moment, as a service
 * manager would; that it did is kept. Thread-safe.
 */
final class Fleet implements AutoCloseable {
  private static final long RESTART_MILLIS = 1_000;

  /** Starts a process. */
  @FunctionalInterface
  interface Starter {
    /** Starts one, whose log is in the folder of the fleet. */
    RelayProcess start(int process, String name);
  }

  /** A process that ended although nobody ended it. */
  record SelfEnded(String process, int exitCode, long atMillis) {}

  private static final class Member {
    private final String name;
    private @Nullable RelayProcess process;
    private boolean wanted;
    private long endedMillis;

    private Member(String name) {
      this.name = name;
    }
  }

  private final Role role;
  private final Path folder;
  private final Starter starter;
  private final List<Member> members = new ArrayList<>();
  private final List<SelfEnded> selfEnded = new ArrayList<>();

  /**
   * Processes that do not run yet.
   *
   * @param folder where their logs are
   */
  Fleet(Role role, Path folder, Starter starter) {
    this.role = role;
    this.folder = folder;
    this.starter = starter;
    for (int i = 0; i < FaultPlan.PROCESSES; i++) {
      members.add(new Member(role.name(i)));
    }
  }

  void startAll() {
    for (int i = 0; i < members.size(); i++) {
      start(i);
    }
  }

  synchronized void start(int process) {
    Member member = members.get(process);
    member.wanted = true;
    member.process = starter.start(process, member.name);
  }

  void kill(int process) {
    unwanted(process).kill();
  }

  /** Stops it gracefully and says with which exit code it ended. */
  int stop(int process) {
    return unwanted(process).stop();
  }

  void freeze(int process) {
    process(process).freeze();
  }

  void thaw(int process) {
    process(process).thaw();
  }

  private synchronized RelayProcess unwanted(int process) {
    members.get(process).wanted = false;
    return process(process);
  }

  private synchronized RelayProcess process(int process) {
    RelayProcess running = members.get(process).process;
    if (running == null) {
      throw new IllegalStateException(role.name(process) + " was never started");
    }
    return running;
  }

  /** Process ids of those that run, by name. */
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

  /** Notes processes that ended by themselves and starts them again. */
  private synchronized void supervise() {
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

  /** Supervises them and reads their logs, until the thread is interrupted. */
  Thread watch(LogWatch log) {
    Thread thread =
        new Thread(
            () -> {
              while (!Thread.currentThread().isInterrupted()) {
                supervise();
                log.read();
                LockSupport.parkNanos(300_000_000L);
              }
            },
            "watch");
    thread.setDaemon(true);
    thread.start();
    return thread;
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
