package io.waybill.kafka.internal.send;

import io.waybill.kafka.internal.Refusal;
import io.waybill.kafka.internal.TopicName;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks up the topics that messages wait for, lets their client learn them, and hands over what
 * waits. Works in passes, on a thread that may wait.
 */
final class TopicLookups {
  private static final Logger LOG = LoggerFactory.getLogger(TopicLookups.class);
  private static final Duration LEARN_LIMIT = Duration.ofMillis(300);
  private static final Duration LEARN_PAUSE = Duration.ofMillis(2);

  private final SendDispatcher dispatcher;
  private final SendSettings settings;
  private final Source source;
  private final AtomicInteger wanted = new AtomicInteger();
  private final Set<String> expected;
  private volatile boolean prepared;

  /** Where a look-up has its clients and its thread from. */
  interface Source {
    /** Starts a task; false if that is not possible now. */
    boolean run(Runnable task);

    /** A client that asks. */
    Admin admin();

    /** A client that sends; null if there is none now. */
    @Nullable ProducerSession session(boolean forSuspects);

    /** The largest batch that a client may have now. */
    int batchBytes(boolean forSuspects);

    /** Something did not answer: whether the broker is there has to be found out. */
    void wantProbe();
  }

  TopicLookups(
      SendDispatcher dispatcher, SendSettings settings, Set<String> expected, Source source) {
    this.dispatcher = dispatcher;
    this.settings = settings;
    this.expected =
        expected.stream()
            .filter(name -> TopicName.refusal(name) == null)
            .collect(Collectors.toUnmodifiableSet());
    this.source = source;
  }

  /** One pass at a time; a wish during a pass leads to one more. */
  void want() {
    if (wanted.getAndIncrement() == 0 && !source.run(this::lookUp)) {
      wanted.set(0);
    }
  }

  private void lookUp() {
    int served;
    do {
      served = wanted.get();
      try {
        lookUpOnce();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        wanted.set(0);
        return;
      } catch (RuntimeException | Error e) {
        // The next pass begins anew, with the next message or the next look at the time limits.
        lookupFailed("Topics", e);
      }
      prepared = true;
    } while (wanted.addAndGet(-served) > 0);
  }

  /** Whether the first pass has ended, with a client that knows the topics if all went well. */
  boolean isPrepared() {
    return prepared;
  }

  private void lookUpOnce() throws InterruptedException {
    if (!prepared) {
      // A first client takes the better part of a second: not while messages wait for it.
      ProducerSession unused = source.session(false);
    }
    // Topics that are created on demand are left to their first message.
    boolean looksAhead = !prepared && settings.newTopic() == null;
    List<Topic> topics = dispatcher.toLookUp(looksAhead ? expected : Set.of());
    List<Topic> unknown = topics.stream().filter(dispatcher::needsLookUp).toList();
    if (!unknown.isEmpty()) {
      Map<String, TopicScout.Finding> findings =
          new TopicScout(source.admin(), settings.newTopic())
              .explore(unknown.stream().map(topic -> topic.name).toList());
      unknown.forEach(topic -> note(topic, findings.get(topic.name)));
    }
    dispatcher.fit(source.batchBytes(false), source.batchBytes(true));
    for (Topic topic : topics) {
      try {
        if (!dispatcher.needsLookUp(topic)) {
          handOver(topic);
        }
      } catch (AuthorizationException e) {
        dispatcher.denied(topic, Refusal.of(e));
      } catch (RuntimeException e) {
        lookupFailed("Topic " + topic.name, e);
      }
    }
  }

  /** A client that cannot be made is usual while the broker's name is unknown. */
  private void lookupFailed(String what, Throwable why) {
    source.wantProbe();
    if (why instanceof KafkaException) {
      LOG.debug("{} could not be looked up; the publisher retries while messages wait", what, why);
    } else {
      LOG.error("{} could not be looked up; the publisher retries while messages wait", what, why);
    }
  }

  private void note(Topic topic, TopicScout.@Nullable Finding finding) {
    if (finding instanceof TopicScout.Finding.Present present) {
      dispatcher.present(topic, present.facts());
    } else if (finding instanceof TopicScout.Finding.Missing) {
      dispatcher.missing(topic);
    } else if (finding instanceof TopicScout.Finding.Denied denied) {
      dispatcher.denied(topic, denied.refusal());
    } else if (finding instanceof TopicScout.Finding.Silent silent) {
      LOG.debug("Topic {} could not be looked up", topic.name, silent.why());
      source.wantProbe();
    }
  }

  private void handOver(Topic topic) {
    boolean suspect;
    do {
      suspect = dispatcher.isSuspect(topic);
      ProducerSession session = source.session(suspect);
      if (session == null) {
        return;
      }
      if (!learns(session, topic.name)) {
        // It may have been deleted since it was found.
        dispatcher.doubt(topic);
        return;
      }
      boolean more = true;
      while (more) {
        more = dispatcher.ready(topic, session) || measures(topic);
      }
    } while (suspect != dispatcher.isSuspect(topic));
  }

  /** Measures the next message of the topic if it is large, apart from the lock. */
  private boolean measures(Topic topic) {
    Topic.Waiting large = dispatcher.unmeasured(topic);
    if (large == null) {
      return false;
    }
    dispatcher.measured(large, RecordSize.least(large.message, settings.compression()));
    return true;
  }

  /** The client does not wait for metadata; this waits as long as sensible. */
  private static boolean learns(ProducerSession session, String topic) {
    long end = System.nanoTime() + LEARN_LIMIT.toNanos();
    while (!session.hasFailed() && System.nanoTime() - end < 0) {
      try {
        session.learn(topic);
        return true;
      } catch (TimeoutException notYet) {
        LOG.trace("No metadata of {} yet", topic);
        LockSupport.parkNanos(LEARN_PAUSE.toNanos());
      } catch (IllegalStateException ended) {
        return false;
      }
    }
    return false;
  }
}
