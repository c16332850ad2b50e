package io.waybill.spring.internal.consumers;

import io.waybill.broker.ConsumableBroker;
import io.waybill.broker.DeadLetterReader;
import io.waybill.broker.Delivery;
import io.waybill.internal.encode.DeadLetter;
import io.waybill.internal.encode.DeadLetterDecoder;
import io.waybill.internal.jdbc.operator.JobLetters;
import io.waybill.internal.jdbc.operator.JobLetters.Letter;
import io.waybill.message.Transport;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which letters of a job have come back: they lie among the dead letters again, redriven once more
 * than before. An inbox publishes such a letter before it notes the event as processed. Used by one
 * thread.
 */
final class Returned {
  private final ConsumableBroker broker;
  private final JobLetters job;
  private final String name;
  private final boolean keeps;
  private final DeadLetterDecoder decoder = new DeadLetterDecoder();
  private final Map<String, Why> came = new HashMap<>();
  // Of a topic: where the next look begins, by partition.
  private final Map<String, Long> positions = new HashMap<>();
  private @Nullable Set<String> awaited;

  /** Why a consumer gave up what was sent again. */
  record Why(String reason, @Nullable String error) {}

  Returned(ConsumableBroker broker, JobLetters job, String name) {
    this.broker = broker;
    this.job = job;
    this.name = name;
    this.keeps = broker.transport() == Transport.KAFKA;
  }

  /** Why a letter came back, as far as that was seen; null if it did not. */
  @Nullable Why why(Letter letter) {
    String id = letter.sentId();
    return id == null ? null : came.get(key(letter.consumer(), id));
  }

  /** A queue has one consumer, which may have another name now. */
  private String key(@Nullable String consumer, String sentId) {
    return keeps ? consumer + "\n" + sentId : sentId;
  }

  /** Any letter that is read, also to be sent. */
  void saw(DeadLetter letter) {
    String event = letter.eventId();
    if (letter.redriven() > 0 && event != null) {
      String id = key(letter.consumer(), event + " " + letter.redriven());
      if (awaited().contains(id)) {
        String reason = letter.reason();
        came.put(id, new Why(reason == null ? "dead again" : reason, letter.error()));
      }
    }
  }

  /**
   * Removes a letter from a queue that was sent before: the process ended before it could, or the
   * broker had taken the letter back.
   */
  void removeIfSent(DeadLetterReader reader, DeadLetter letter) {
    if (!keeps && job.sentPlaces().contains(LetterPlace.of(letter, false))) {
      reader.remove(letter.delivery());
    }
  }

  private Set<String> awaited() {
    Set<String> known = awaited;
    if (known == null) {
      known = new HashSet<>();
      for (Letter each : job.all()) {
        String id = each.sentId();
        if (id != null) {
          known.add(key(each.consumer(), id));
        }
      }
      awaited = known;
    }
    return known;
  }

  /**
   * Reads what is new in a topic, or what lies in a queue, of which it removes what was sent.
   *
   * @throws LookRefusedException if the broker may drop letters that are looked at
   */
  void look() {
    Map<String, Long> from = new HashMap<>();
    if (keeps) {
      broker
          .depths(List.of(name))
          .forEach(
              (lane, depth) -> {
                long first = positions.getOrDefault(lane, depth.first());
                if (first < depth.end()) {
                  from.put(lane, first);
                }
              });
      if (from.isEmpty()) {
        return;
      }
    }
    try (DeadLetterReader reader = broker.deadLettersFrom(name, from)) {
      List<Delivery> page = next(reader);
      while (!page.isEmpty()) {
        for (Delivery each : page) {
          DeadLetter letter = decoder.decode(each);
          saw(letter);
          removeIfSent(reader, letter);
          positions.put(each.lane(), each.position() + 1);
        }
        page = next(reader);
      }
    }
  }

  private List<Delivery> next(DeadLetterReader reader) {
    job.keep(System.nanoTime());
    LookRefusedException.refuse(reader, job.job().despiteLimit());
    return reader.next();
  }
}
