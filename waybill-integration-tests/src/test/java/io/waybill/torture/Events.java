package io.waybill.torture;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;

/**
 * Publishes events of every kind, each key's in the order of their numbers, and copies of some of
 * them later. One thread publishes; methods may be called by any.
 */
final class Events implements AutoCloseable {
  private static final int KEYS = 60;
  private static final int BULK = 900_000;
  private static final long TICK_NANOS = 10_000_000L;
  private static final long LOOK_MILLIS = 100;
  private static final int MOST_SHAKY_MILLIS = 8_000;
  private static final int MOST_LATER = 2_000;

  /**
   * An event that was published.
   *
   * @param id event id
   * @param key message key, or nothing for none
   * @param number of the event within its key, from 1
   * @param kind what its handler does
   * @param lanes where its copies are
   */
  record Published(String id, String key, long number, EventKind kind, Set<String> lanes) {}

  private final Feed feed;
  private final String canary;
  private final IntSupplier version;
  private final int rate;
  private final Random random;
  private final Thread thread = new Thread(this::run, "producer");
  private final Map<String, Long> numbers = new HashMap<>();
  private final Map<String, Published> all = new LinkedHashMap<>();
  private final Queue<Runnable> confirmed = new ConcurrentLinkedQueue<>();
  private final List<Feed.Message> later = new ArrayList<>();
  private final Set<String> closed = new HashSet<>();
  private long open;
  private long copies;
  private boolean paused = true;
  private boolean ended;
  private String burst = "";
  private int burstLeft;

  /**
   * Does not publish yet.
   *
   * @param canary what is in bodies and must not be in logs
   * @param rate events per second
   * @param version that of the handlers
   */
  Events(Feed feed, String canary, long seed, int rate, IntSupplier version) {
    this.feed = feed;
    this.canary = canary;
    this.version = version;
    this.rate = rate;
    this.random = new Random(seed);
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
    resume();
  }

  private void run() {
    double due = 0;
    long before = System.nanoTime();
    while (isRunning()) {
      long now = System.nanoTime();
      // What was missed while a broker was away is not made up for.
      due = Math.min(due + (now - before) / 1e9 * rate, rate);
      before = now;
      synchronized (this) {
        confirm();
        feed.look();
        for (; !paused && due >= 1; due--) {
          publish(feed.sources());
          repeat();
        }
        for (; burstLeft > 0; burstLeft--) {
          publish(List.of(burst));
        }
        notifyAll();
      }
      LockSupport.parkNanos(TICK_NANOS);
    }
  }

  private synchronized boolean isRunning() {
    return !ended;
  }

  private void publish(List<String> sources) {
    int dice = random.nextInt(1_000);
    int key = (int) (KEYS * Math.pow(random.nextDouble(), 2));
    String source =
        dice < 30 ? sources.get(random.nextInt(sources.size())) : sources.get(key % sources.size());
    if (closed.contains(source)) {
      return;
    }
    // A key has one source: those of a burst have keys of their own.
    String name = dice < 30 ? "" : source + key;
    long number = numbers.merge(name, 1L, Long::sum);
    EventKind kind = kind(random.nextInt(1_000));
    String id = (name.isEmpty() ? "none" : name) + "-" + number;
    Published event = new Published(id, name, number, kind, new HashSet<>());
    all.put(id, event);
    Feed.Message message =
        new Feed.Message(source, name.isEmpty() ? null : name, headers(event), body(kind));
    send(message, id, random.nextInt(5) == 0 && kind != EventKind.BULKY);
  }

  private static EventKind kind(int dice) {
    if (dice < 60) {
      return EventKind.SLOW;
    }
    if (dice < 100) {
      return EventKind.SHAKY;
    }
    if (dice < 120) {
      return EventKind.POISON;
    }
    if (dice < 150) {
      return EventKind.MENDED;
    }
    return dice < 152 ? EventKind.BULKY : EventKind.PLAIN;
  }

  private Map<String, String> headers(Published event) {
    Map<String, String> headers = new HashMap<>();
    headers.put("waybill-event-id", event.id());
    headers.put("waybill-event-type", event.kind().type());
    if (!event.key().isEmpty()) {
      headers.put("waybill-aggregate-id", event.key());
    }
    if (event.kind() == EventKind.SHAKY) {
      long until = System.currentTimeMillis() + random.nextInt(MOST_SHAKY_MILLIS);
      headers.put(TortureConsumer.UNTIL, Long.toString(until));
    }
    if (event.kind() == EventKind.MENDED) {
      headers.put(TortureConsumer.NEED, Integer.toString(version.getAsInt() + 1));
    }
    return headers;
  }

  private byte[] body(EventKind kind) {
    if (kind == EventKind.BULKY) {
      byte[] bulk = new byte[BULK];
      random.nextBytes(bulk);
      return bulk;
    }
    return "{\"note\":\"%s\"}".formatted(canary).getBytes(UTF_8);
  }

  private void send(Feed.Message message, String id, boolean again) {
    open++;
    feed.send(message, lane -> confirmed.add(() -> stored(message, id, lane, again)));
  }

  private void stored(Feed.Message message, String id, String lane, boolean again) {
    open--;
    Published event = all.get(id);
    if (event != null) {
      event.lanes().add(lane);
    }
    if (again && later.size() < MOST_LATER) {
      later.add(message);
    }
  }

  /** A client that calls back must not wait for whoever waits for it. */
  private void confirm() {
    for (Runnable each = confirmed.poll(); each != null; each = confirmed.poll()) {
      each.run();
    }
  }

  /** A copy, anywhere behind the first one. */
  private void repeat() {
    if (later.isEmpty() || random.nextInt(5) > 0) {
      return;
    }
    Feed.Message message = later.remove(random.nextInt(later.size()));
    String id = message.headers().getOrDefault("waybill-event-id", "");
    if (!closed.contains(message.source())) {
      copies++;
      send(message, id, random.nextInt(3) == 0);
    }
  }

  /** Publishes nothing more, and waits until all that was published is stored. */
  synchronized void pause() throws InterruptedException {
    paused = true;
    settle();
  }

  private synchronized void settle() throws InterruptedException {
    long end = System.nanoTime() + Schedule.PATIENCE.toNanos();
    confirm();
    while (open > 0) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException(open + " messages are not stored");
      }
      wait(LOOK_MILLIS);
      confirm();
    }
  }

  synchronized void resume() {
    paused = false;
  }

  /** Publishes nothing more to a topic, until it is opened again; waits as {@link #pause}. */
  synchronized void close(String source) throws InterruptedException {
    closed.add(source);
    settle();
  }

  synchronized void open(String source) {
    closed.remove(source);
  }

  /** Does something to the feed while nothing is published. */
  synchronized void meanwhile(Runnable change) {
    change.run();
  }

  /** Publishes so many events to a topic at once. */
  synchronized void burst(String source, int events) throws InterruptedException {
    burst = source;
    burstLeft = events;
    while (burstLeft > 0 && !ended) {
      wait(LOOK_MILLIS);
    }
  }

  synchronized List<Published> published() {
    return all.values().stream()
        .map(
            event ->
                new Published(
                    event.id(),
                    event.key(),
                    event.number(),
                    event.kind(),
                    Set.copyOf(event.lanes())))
        .toList();
  }

  synchronized int count() {
    return all.size();
  }

  /** Copies beyond the first ones. */
  synchronized long copies() {
    return copies;
  }

  @Override
  public void close() {
    synchronized (this) {
      ended = true;
      notifyAll();
    }
    try {
      thread.join(10_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
