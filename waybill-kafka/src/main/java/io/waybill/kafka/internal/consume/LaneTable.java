package io.waybill.kafka.internal.consume;

import io.waybill.broker.Delivery;
import io.waybill.broker.Reach;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;

/**
 * The assigned partitions. Deliveries of a partition that has left since are no part of it, so what
 * is said of them changes nothing. Thread-safe.
 */
public final class LaneTable {
  /** Most records of one poll; a lane may be so much above its window. */
  public static final int MAX_POLL_RECORDS = 500;

  private final int window;
  private final long windowBytes;
  private final Map<TopicPartition, Lane> lanes = new HashMap<>();
  // Topics in which something was read or committed, whatever client did it.
  private final Set<String> read = new HashSet<>();

  /** With the window of each lane. */
  public LaneTable(int window, long windowBytes) {
    this.window = window;
    this.windowBytes = windowBytes;
  }

  synchronized void assign(Collection<TopicPartition> partitions) {
    partitions.forEach(partition -> lanes.put(partition, new Lane(partition)));
  }

  /** Forgets the partitions and names those that were assigned. */
  synchronized Set<String> remove(Collection<TopicPartition> partitions) {
    Set<String> names = new TreeSet<>();
    for (TopicPartition partition : partitions) {
      Lane lane = lanes.remove(partition);
      if (lane != null) {
        lane.gone = true;
        names.add(lane.name);
      }
    }
    return names;
  }

  synchronized Set<String> names(Collection<TopicPartition> partitions) {
    Set<String> names = new TreeSet<>();
    for (TopicPartition partition : partitions) {
      Lane lane = lanes.get(partition);
      if (lane != null) {
        names.add(lane.name);
      }
    }
    return names;
  }

  synchronized Set<TopicPartition> partitions() {
    return new HashSet<>(lanes.keySet());
  }

  synchronized void begin(
      TopicPartition partition, long position, long asked, boolean isFirst, String note) {
    Lane lane = lanes.get(partition);
    if (lane != null) {
      lane.begin(position, asked, isFirst, note);
    }
  }

  /** Where those among the partitions stand that have begun. */
  synchronized Map<TopicPartition, Long> begun(Collection<TopicPartition> partitions) {
    Map<TopicPartition, Long> begun = new HashMap<>();
    for (TopicPartition partition : partitions) {
      Lane lane = lanes.get(partition);
      if (lane != null && lane.hasBegun()) {
        begun.put(partition, lane.next());
      }
    }
    return begun;
  }

  /** Whether this process has read or committed something in a topic. */
  synchronized boolean hasRead(String topic) {
    return read.contains(topic);
  }

  /** Whether a partition waits for the commit of where it begins. */
  synchronized boolean isBeginning() {
    return lanes.values().stream().anyMatch(Lane::isBeginning);
  }

  /** The partitions of which nobody knows yet how far they reached at their assignment. */
  synchronized List<TopicPartition> withoutEnd() {
    return lanes.values().stream().filter(Lane::needsEnd).map(lane -> lane.partition).toList();
  }

  synchronized void end(TopicPartition partition, long offset) {
    Lane lane = lanes.get(partition);
    if (lane != null) {
      lane.end(offset);
    }
  }

  synchronized List<Delivery> accept(ConsumerRecords<byte[], byte[]> records) {
    List<Delivery> accepted = new ArrayList<>(records.count());
    for (TopicPartition partition : records.partitions()) {
      Lane lane = lanes.get(partition);
      if (lane != null) {
        read.add(partition.topic());
        // What was given back during the poll comes first.
        lane.takeGivenBack().forEach(each -> accepted.add(each.repeated()));
        records.records(partition).forEach(each -> accepted.add(accept(lane, each)));
      }
    }
    records
        .nextOffsets()
        .forEach(
            (partition, position) -> {
              Lane lane = lanes.get(partition);
              if (lane != null) {
                lane.advance(position.offset());
              }
            });
    return accepted;
  }

  private int mostUncommitted() {
    return window + MAX_POLL_RECORDS;
  }

  /** How far lanes are by their names. */
  public synchronized Map<String, Reach> reach() {
    Map<String, Reach> reach = new HashMap<>();
    for (Lane lane : lanes.values()) {
      Reach known = lane.reach();
      if (known != null) {
        reach.put(lane.name, known);
      }
    }
    return reach;
  }

  public synchronized void rewind(Map<String, Long> positions) {
    for (Lane lane : lanes.values()) {
      Long position = positions.get(lane.name);
      if (position != null) {
        lane.rewind(position);
      }
    }
  }

  /** What is to be read again; one after whose suspects nothing was delivered has them still. */
  synchronized Map<TopicPartition, Long> rewinds(boolean withSuspects) {
    Map<TopicPartition, Long> rewinds = new HashMap<>();
    for (Lane lane : lanes.values()) {
      if (withSuspects != lane.isBeyondSuspects(mostUncommitted())) {
        lane.rewindTo().ifPresent(position -> rewinds.put(lane.partition, position));
      }
    }
    return rewinds;
  }

  private Delivery accept(Lane lane, ConsumerRecord<byte[], byte[]> message) {
    boolean again = lane.isSuspect(message.offset(), mostUncommitted());
    int bytes =
        Math.max(0, message.serializedKeySize()) + Math.max(0, message.serializedValueSize());
    Lane.Entry entry = lane.add(message.offset(), bytes);
    return Deliveries.of(message, lane.name, again, entry);
  }

  public synchronized void acknowledge(List<Delivery> deliveries) {
    for (Delivery each : deliveries) {
      if (each.token() instanceof Lane.Entry entry && !entry.lane.gone) {
        entry.lane.acknowledge(entry);
      }
    }
  }

  public synchronized void release(List<Delivery> deliveries) {
    for (Delivery each : deliveries) {
      if (each.token() instanceof Lane.Entry entry && !entry.lane.gone) {
        entry.lane.release(entry, each);
      }
    }
  }

  public synchronized void pause(String name, boolean paused) {
    for (Lane lane : lanes.values()) {
      if (lane.name.equals(name)) {
        lane.paused = paused;
      }
    }
  }

  /** What was given back in lanes that are not paused. */
  synchronized List<Delivery> givenBack() {
    List<Delivery> all = new ArrayList<>(0);
    for (Lane lane : lanes.values()) {
      if (!lane.paused) {
        lane.takeGivenBack().forEach(each -> all.add(each.repeated()));
      }
    }
    return all;
  }

  /** The partitions of which nothing more is to be read for now. */
  synchronized Set<TopicPartition> halted() {
    Set<TopicPartition> halted = new HashSet<>();
    for (Lane lane : lanes.values()) {
      if (lane.paused || lane.isBeginning() || lane.isFull(window, windowBytes)) {
        halted.add(lane.partition);
      }
    }
    return halted;
  }

  synchronized boolean isPressing() {
    return lanes.values().stream().anyMatch(lane -> lane.isPressing(window));
  }

  /** What can be committed of these partitions. */
  synchronized Map<TopicPartition, Lane.Mark> marks(Collection<TopicPartition> partitions) {
    Map<TopicPartition, Lane.Mark> marks = new HashMap<>();
    for (TopicPartition partition : partitions) {
      Lane lane = lanes.get(partition);
      Lane.Mark mark = lane == null ? null : lane.mark();
      if (mark != null) {
        marks.put(partition, mark);
      }
    }
    return marks;
  }

  synchronized void committed(Collection<Lane.Mark> marks) {
    for (Lane.Mark mark : marks) {
      if (!mark.lane().gone) {
        mark.lane().committed(mark);
        read.add(mark.lane().partition.topic());
      }
    }
  }
}
