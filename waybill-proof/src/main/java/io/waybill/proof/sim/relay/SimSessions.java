package io.waybill.proof.sim.relay;

import static io.waybill.proof.sim.seed.Dice.MS;

import io.waybill.proof.sim.seed.Violation;
import io.waybill.store.LaneStore;
import io.waybill.store.LaneView;
import io.waybill.store.RelayProcess;
import io.waybill.store.RelayReport;
import io.waybill.store.Session;
import io.waybill.store.Tally;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Sessions with leases on the database clock, and who owns which lane. */
final class SimSessions implements LaneStore {
  private static final long QUIET_MARGIN = 500 * MS;

  private final SimDatabase database;
  private final SimLocks locks;
  private final Observations seen;
  private final Mutation mutation;
  private final long[] owners;
  // Until when a former owner's messages may come.
  private final long[] quiet;
  private final TreeMap<Long, Long> leases = new TreeMap<>();
  // Also of sessions that have ended: those that have said that they will leave.
  private final Set<Long> leaving = new TreeSet<>();
  // Also of sessions that have ended.
  private final TreeMap<Long, Session> joined = new TreeMap<>();
  // As they were when the server was set back: their relays may know them no more.
  private final Map<Long, Session> restored = new HashMap<>();
  // By number of the session; known to its relay, whatever the server has.
  private final Map<Long, Long> tried = new HashMap<>();
  private long lastFence;
  private long highestFence;
  private long count;

  /** What the tables hold. */
  record Content(
      long[] owners,
      long[] quiet,
      TreeMap<Long, Long> leases,
      Set<Long> leaving,
      TreeMap<Long, Session> joined,
      Map<Long, Long> tried,
      long lastFence) {
    /** Whether a relay has joined, or a renewal was answered that was tried, later than this. */
    boolean lacks(Tenure tenure) {
      Session session = joined.get(tenure.fence());
      return session == null
          || session.joinedMicros() != tenure.number()
          || tried.getOrDefault(tenure.number(), 0L) < tenure.renewals;
    }
  }

  SimSessions(
      SimDatabase database, SimLocks locks, Observations seen, Mutation mutation, int lanes) {
    this.database = database;
    this.locks = locks;
    this.quiet = new long[lanes];
    Arrays.fill(quiet, -QUIET_MARGIN);
    this.seen = seen;
    this.mutation = mutation;
    this.owners = new long[lanes];
  }

  /** Only a shell warms up. */
  @Override
  public boolean warmUp() {
    return false;
  }

  @Override
  public Session join(RelayProcess process, Duration lease) {
    String relay = process.relay();
    database.flush();
    long fence = ++lastFence;
    if (!leases.isEmpty() && fence <= leases.lastKey()) {
      throw new Violation("fence grows", fence + " after " + leases.lastKey());
    }
    if (fence <= highestFence) {
      seen.rare(RareState.FENCE_GIVEN_OUT_AGAIN);
    }
    highestFence = Math.max(highestFence, fence);
    // What another session of this number said in a history that has ended.
    leaving.remove(fence);
    leases.put(fence, database.clock() + lease.toNanos());
    Session session = new Session(fence, relay, database.history(), ++count, 0);
    joined.put(fence, session);
    return session;
  }

  /** Whether a session's row holds less than the session wrote, or belongs to another one. */
  boolean lacks(Session session) {
    return mutation.keeps(Rule.COUNTS_RENEWALS) && alive(session) && !isWhole(session);
  }

  /** Whether a session is alive here, with all that it was answered. */
  boolean holds(Session session) {
    return session.history().equals(database.history()) && alive(session) && isWhole(session);
  }

  private boolean isWhole(Session session) {
    Session row = joined.get(session.fence());
    return row != null
        && row.joinedMicros() == session.joinedMicros()
        && row.renewals() >= session.renewals();
  }

  /** Number of the last session. */
  long joined() {
    return count;
  }

  Content content() {
    return new Content(
        owners.clone(),
        quiet.clone(),
        new TreeMap<>(leases),
        new TreeSet<>(leaving),
        new TreeMap<>(joined),
        new HashMap<>(tried),
        lastFence);
  }

  void restore(Content content) {
    System.arraycopy(content.owners(), 0, owners, 0, owners.length);
    System.arraycopy(content.quiet(), 0, quiet, 0, quiet.length);
    leases.clear();
    leases.putAll(content.leases());
    leaving.clear();
    leaving.addAll(content.leaving());
    joined.clear();
    joined.putAll(content.joined());
    restored.clear();
    restored.putAll(content.joined());
    lastFence = content.lastFence();
  }

  @Override
  public boolean renew(Session session, Duration lease, RelayReport report) {
    if (!mutation.keeps(Rule.KNOWS_ENDED_SESSIONS)) {
      leases.put(session.fence(), database.clock());
    }
    if (lacks(session)) {
      return false;
    }
    count(session);
    if (report.leaving()) {
      leaving.add(session.fence());
    } else {
      leaving.remove(session.fence());
    }
    return leases.computeIfPresent(
            session.fence(), (fence, until) -> database.clock() + lease.toNanos())
        != null;
  }

  /** One that the relay takes for one that failed. */
  void renewUnanswered(Session session) {
    if (alive(session) && !lacks(session)) {
      count(session);
    }
  }

  private void count(Session session) {
    long number = tried.merge(session.joinedMicros(), 1L, Long::sum);
    joined.computeIfPresent(session.fence(), (fence, row) -> renewed(row, number));
  }

  private Session renewed(Session row, long number) {
    Session renewed = row.renewed();
    while (mutation.keeps(Rule.NUMBERS_RENEWALS) && renewed.renewals() < number) {
      renewed = renewed.renewed();
    }
    return renewed;
  }

  /** The number of the renewal that the session was answered last. */
  long answered(Session session) {
    return mutation.keeps(Rule.NUMBERS_RENEWALS) ? tried(session) : session.renewals() + 1;
  }

  /** How many renewals the session has tried. */
  long tried(Session session) {
    return tried.getOrDefault(session.joinedMicros(), 0L);
  }

  @Override
  public LaneView view(Session session) {
    database.flush();
    for (Long fence : List.copyOf(leases.keySet())) {
      Long until = leases.get(fence);
      if (until != null
          && fence != session.fence()
          && mutation.expired(session.relay(), until, database.clock())) {
        end(fence);
        seen.fenced(Objects.requireNonNull(joined.get(fence)), session.relay());
      }
    }
    locks.ended(session, List.copyOf(leases.keySet())).forEach(fence -> takeOver(fence, session));
    long unquiet = 0;
    Set<Integer> mine = new TreeSet<>();
    Set<Integer> free = new TreeSet<>();
    for (int lane = 0; lane < owners.length; lane++) {
      if (owners[lane] == 0) {
        free.add(lane);
      } else if (owners[lane] == session.fence()) {
        mine.add(lane);
        unquiet = Math.max(unquiet, quiet[lane] - database.clock() + QUIET_MARGIN);
      }
    }
    if (unquiet > 0) {
      seen.rare(RareState.UNQUIET_LANE);
    }
    long told = mutation.keeps(Rule.TELLS_WHEN_QUIET) ? (unquiet + MS - 1) / MS : 0;
    int sessions = (int) leases.keySet().stream().filter(fence -> counts(fence, session)).count();
    return new LaneView(alive(session), mine, sessions, free, owners.length, told, List.of());
  }

  private boolean counts(long fence, Session by) {
    return fence == by.fence() || !leaving.contains(fence);
  }

  /** A session whose lock has ended, and whose lease may have long to go. */
  private void takeOver(long fence, Session by) {
    Long until = leases.get(fence);
    if (until == null) {
      return;
    }
    locks.checkEnded(fence, by);
    for (int lane = 0; lane < owners.length; lane++) {
      if (owners[lane] == fence) {
        quiet[lane] = Math.max(quiet[lane], until);
      }
    }
    if (mutation.keeps(Rule.FENCES_UNLOCKED_SESSIONS)) {
      end(fence);
      seen.fenced(Objects.requireNonNull(joined.get(fence)), by.relay());
    } else {
      free(fence);
    }
  }

  /** For how long a former owner's messages may come, on the database's clock; 0 if none may. */
  long unquietNanos(int lane) {
    return Math.max(0, quiet[lane] - database.clock());
  }

  @Override
  public Set<Integer> acquire(Session session, Set<Integer> lanes) {
    database.flush();
    Set<Integer> won = new TreeSet<>();
    if (alive(session)) {
      for (int lane : lanes) {
        if (owners[lane] == 0) {
          owners[lane] = session.fence();
          won.add(lane);
        }
      }
    }
    return won;
  }

  @Override
  public void release(Session session, Set<Integer> lanes) {
    database.flush();
    for (int lane : lanes) {
      if (owners[lane] == session.fence()) {
        owners[lane] = 0;
        database.forgetUnknowns(lane);
      }
    }
  }

  /** Nothing decides by it, so the simulated relays do not ask. */
  @Override
  public long oldestUnpublishedMillis() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Tally tally(int most) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void leave(Session session) {
    database.flush();
    end(session.fence());
  }

  private void end(long fence) {
    leases.remove(fence);
    free(fence);
  }

  private void free(long fence) {
    for (int lane = 0; lane < owners.length; lane++) {
      if (owners[lane] == fence) {
        owners[lane] = 0;
      }
    }
  }

  boolean alive(Session session) {
    return alive(session.fence());
  }

  boolean alive(long fence) {
    return leases.containsKey(fence);
  }

  long owner(int lane) {
    return owners[lane];
  }

  int count() {
    return leases.size();
  }

  /** Whether a session of the relay is there, other than one that only a set-back brought back. */
  boolean has(String relay) {
    return leases.keySet().stream()
        .map(fence -> Objects.requireNonNull(joined.get(fence)))
        .anyMatch(
            session ->
                session.relay().equals(relay) && !session.equals(restored.get(session.fence())));
  }

  int lanesOf(long fence) {
    return (int) Arrays.stream(owners).filter(owner -> owner == fence).count();
  }

  @Override
  public void close() {}
}
