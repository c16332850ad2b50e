package io.waybill.kafka.internal.consume;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a group begins in partitions of which it has no position. With {@link
 * KafkaSubscriberConfig.Start#LATEST} that is the end only if the group is new in the whole topic:
 * a partition that was added, or whose position alone is gone, may have messages that nobody has
 * seen.
 *
 * <p>The members of a new group begin one after the other, each in its own partitions. So who
 * begins at the end leaves a note with its positions: how many partitions there were, and when.
 * Used by the {@link Poller}'s thread alone.
 */
final class Beginning {
  private static final Logger LOG = LoggerFactory.getLogger(Beginning.class);
  private static final Duration LIMIT = Duration.ofSeconds(3);

  /** Members of a new group that begin later than this after the first one skip nothing. */
  private static final Duration TOGETHER = Duration.ofMinutes(5);

  /**
   * What is committed with the positions of a group that begins at the end.
   *
   * @param partitions how many the topic had
   * @param millis time of day at which its first member began, in milliseconds
   */
  private record Note(int partitions, long millis) {
    private static final Pattern TEXT = Pattern.compile("latest of (\\d{1,9}) at (\\d{1,18})");

    /** Nothing of what others commit, with metadata of their own or none. */
    static Stream<Note> of(OffsetAndMetadata position) {
      Matcher text = TEXT.matcher(position.metadata());
      return text.matches()
          ? Stream.of(new Note(Integer.parseInt(text.group(1)), Long.parseLong(text.group(2))))
          : Stream.empty();
    }

    boolean isRecent(long now) {
      return Math.abs(now - millis) < TOGETHER.toMillis();
    }

    @Override
    public String toString() {
      return "latest of %d at %d".formatted(partitions, millis);
    }
  }

  /**
   * Where it begins.
   *
   * @param offsets offset of the first message, by partition
   * @param note to be committed with the positions
   */
  record Place(Map<TopicPartition, Long> offsets, String note) {}

  private final ReadSettings settings;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final LaneTable lanes;
  private final InstantSource clock;

  Beginning(
      ReadSettings settings,
      KafkaConsumer<byte[], byte[]> consumer,
      LaneTable lanes,
      InstantSource clock) {
    this.settings = settings;
    this.consumer = consumer;
    this.lanes = lanes;
    this.clock = clock;
  }

  /** Where to begin in partitions without position, topic by topic. */
  List<Place> places(Collection<TopicPartition> partitions) {
    if (!settings.latest()) {
      return List.of(new Place(oldest(partitions), ""));
    }
    List<Place> places = new ArrayList<>();
    partitions.stream()
        .collect(Collectors.groupingBy(TopicPartition::topic))
        .forEach((topic, some) -> places.addAll(latest(topic, some)));
    return places;
  }

  /** The offsets of the oldest messages that there are. */
  Map<TopicPartition, Long> oldest(Collection<TopicPartition> partitions) {
    return consumer.beginningOffsets(partitions, LIMIT);
  }

  private List<Place> latest(String topic, List<TopicPartition> some) {
    Set<TopicPartition> all = new HashSet<>(some);
    consumer
        .partitionsFor(topic, LIMIT)
        .forEach(each -> all.add(new TopicPartition(topic, each.partition())));
    Map<TopicPartition, OffsetAndMetadata> positions =
        new HashMap<>(consumer.committed(all, LIMIT));
    positions.values().removeIf(Objects::isNull);
    Note note = begun(topic, positions.values(), all.size());
    int known = note.partitions();
    List<TopicPartition> atEnd = some.stream().filter(each -> each.partition() < known).toList();
    List<TopicPartition> added = some.stream().filter(each -> each.partition() >= known).toList();
    return List.of(
        new Place(consumer.endOffsets(atEnd, LIMIT), note.toString()),
        new Place(unskipped(added), ""));
  }

  private Map<TopicPartition, Long> unskipped(List<TopicPartition> partitions) {
    if (!partitions.isEmpty()) {
      LOG.warn(
          "Group {}: it has no position in {}, though it has read their topic: the partitions were"
              + " added, or their positions are gone. The group begins there with the oldest"
              + " message and skips none; start=LATEST applies only to topics that are new to a"
              + " group.",
          settings.groupId(),
          partitions);
    }
    return oldest(partitions);
  }

  /** How the group began in a topic, if that was just now; with no partitions if it was not. */
  private Note begun(String topic, Collection<OffsetAndMetadata> positions, int partitions) {
    long now = clock.millis();
    if (positions.isEmpty() && !lanes.hasRead(topic)) {
      return new Note(partitions, now);
    }
    return positions.stream()
        .flatMap(Note::of)
        .filter(note -> note.isRecent(now))
        .max(Comparator.comparingInt(Note::partitions))
        .orElse(new Note(0, now));
  }
}
