package io.waybill.kafka;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** In which partitions of a topic its latest records lie, by their keys. Not thread-safe. */
final class PartitionSample {
  private final int partitions;
  private final Map<ByteBuffer, Integer> places = new LinkedHashMap<>();

  PartitionSample(int partitions) {
    this.partitions = partitions;
  }

  /** Takes a record; of records with one key the last counts. */
  void add(ConsumerRecord<byte[], byte[]> message) {
    if (message.key() != null) {
      places.put(ByteBuffer.wrap(message.key()), message.partition());
    }
  }

  /** Number of different keys. */
  int keys() {
    return places.size();
  }

  /** How many of the keys the partitioner sends elsewhere. */
  int elsewhere(KeyPartitioner partitioner) {
    return (int)
        places.entrySet().stream()
            .filter(
                place ->
                    partitioner.partition(place.getKey().array(), partitions) != place.getValue())
            .count();
  }

  /** A standard partitioner that sends all keys to where they lie. */
  Optional<StandardPartitioner> fitting() {
    return Arrays.stream(StandardPartitioner.values())
        .filter(each -> elsewhere(each) == 0)
        .findFirst();
  }
}
