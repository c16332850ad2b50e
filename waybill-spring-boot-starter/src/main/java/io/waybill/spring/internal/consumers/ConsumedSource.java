package io.waybill.spring.internal.consumers;

import io.waybill.broker.ConsumableBroker;
import io.waybill.broker.ConsumableBroker.Depth;
import io.waybill.internal.encode.DeadLetter;
import io.waybill.internal.jdbc.operator.InboxAdmin.ConsumerView;
import io.waybill.internal.jdbc.operator.InboxAdmin.Deferred;
import io.waybill.message.Transport;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A topic or queue of a consumer, as the broker of the outbox has it.
 *
 * @param source its name
 * @param lag messages that the consumer has not noted as done, or null if the broker does not have
 *     it or was not asked
 * @param deadLetters messages of its dead-letter topic or queue, those of other consumers and those
 *     that were sent again and stay in a topic included; null as before
 */
public record ConsumedSource(String source, @Nullable Long lag, @Nullable Long deadLetters) {
  private static final Pattern PARTITION = Pattern.compile("(.+)-\\d+");
  private static final int MOST_ASKED = 200;

  /**
   * Looks at the topics or queues of consumers; 200 of them are asked for at most.
   *
   * @param broker theirs, or null to name them alone
   * @return those of each consumer, by its name
   * @throws io.waybill.broker.DeadLetterAccessException if the broker does not answer
   */
  public static Map<String, List<ConsumedSource>> of(
      @Nullable ConsumableBroker broker, Transport transport, Collection<ConsumerView> consumers) {
    Map<String, NavigableMap<String, Map<String, Long>>> known = new HashMap<>();
    SortedSet<String> names = new TreeSet<>();
    for (ConsumerView each : consumers) {
      NavigableMap<String, Map<String, Long>> own = sources(each, transport);
      known.put(each.consumer(), own);
      names.addAll(own.keySet());
    }
    Map<String, Map<String, Depth>> depths =
        broker == null ? Map.of() : depths(broker, transport, names);
    Map<String, List<ConsumedSource>> found = new HashMap<>();
    known.forEach(
        (consumer, own) ->
            found.put(
                consumer,
                own.entrySet().stream()
                    .map(each -> of(each.getKey(), each.getValue(), depths, transport))
                    .toList()));
    return found;
  }

  private static Map<String, Map<String, Depth>> depths(
      ConsumableBroker broker, Transport transport, SortedSet<String> names) {
    Set<String> asked = new HashSet<>();
    names.stream()
        .limit(MOST_ASKED)
        .forEach(name -> asked.addAll(List.of(name, DeadLetter.nameOf(name))));
    Map<String, Map<String, Depth>> depths = new HashMap<>();
    if (!asked.isEmpty()) {
      broker
          .depths(asked)
          .forEach(
              (lane, depth) ->
                  depths
                      .computeIfAbsent(source(lane, transport), any -> new HashMap<>())
                      .put(lane, depth));
    }
    return depths;
  }

  /** How far each lane is, by topic or queue. */
  private static NavigableMap<String, Map<String, Long>> sources(
      ConsumerView consumer, Transport transport) {
    NavigableMap<String, Map<String, Long>> sources = new TreeMap<>();
    consumer
        .doneBefore()
        .forEach(
            (lane, position) ->
                sources
                    .computeIfAbsent(source(lane, transport), any -> new HashMap<>())
                    .put(lane, position));
    Deferred next = consumer.next();
    if (next != null) {
      sources.putIfAbsent(next.source(), Map.of());
    }
    return sources;
  }

  private static String source(String lane, Transport transport) {
    Matcher partition = PARTITION.matcher(lane);
    return transport == Transport.KAFKA && partition.matches() ? partition.group(1) : lane;
  }

  private static ConsumedSource of(
      String name,
      Map<String, Long> doneBefore,
      Map<String, Map<String, Depth>> depths,
      Transport transport) {
    Map<String, Depth> letters = depths.get(DeadLetter.nameOf(name));
    Map<String, Depth> own = depths.get(name);
    return new ConsumedSource(
        name,
        own == null ? null : lag(own, doneBefore, transport),
        letters == null ? null : letters.values().stream().mapToLong(Depth::messages).sum());
  }

  /** A queue has what is left; of a partition that nothing was noted of, all is. */
  private static long lag(
      Map<String, Depth> depths, Map<String, Long> doneBefore, Transport transport) {
    return depths.entrySet().stream()
        .mapToLong(
            lane -> {
              Depth depth = lane.getValue();
              Long done = transport == Transport.KAFKA ? doneBefore.get(lane.getKey()) : null;
              return done == null
                  ? depth.messages()
                  : new Depth(Math.max(depth.first(), done), depth.end()).messages();
            })
        .sum();
  }
}
