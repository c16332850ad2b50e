package io.waybill.examples.polyshop;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** How many messages groups have not acknowledged. */
final class Backlog implements AutoCloseable {
  private final Admin admin;
  private final int partitions;

  /** Of topics that all have so many partitions; the client is closed with this. */
  Backlog(Admin admin, int partitions) {
    this.admin = admin;
    this.partitions = partitions;
  }

  /** Messages of a topic that a group has not acknowledged. */
  long of(String group, String topic) throws InterruptedException {
    List<TopicPartition> places =
        IntStream.range(0, partitions)
            .mapToObj(number -> new TopicPartition(topic, number))
            .toList();
    try {
      Map<TopicPartition, ListOffsetsResultInfo> ends =
          admin
              .listOffsets(
                  places.stream()
                      .collect(Collectors.toMap(place -> place, place -> OffsetSpec.latest())))
              .all()
              .get();
      Map<TopicPartition, @Nullable OffsetAndMetadata> committed =
          admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
      return places.stream()
          .mapToLong(
              place ->
                  Objects.requireNonNull(ends.get(place)).offset() - offset(committed.get(place)))
          .sum();
    } catch (ExecutionException e) {
      throw new IllegalStateException("Kafka does not say how far " + group + " is", e);
    }
  }

  private static long offset(@Nullable OffsetAndMetadata committed) {
    return committed == null ? 0 : committed.offset();
  }

  @Override
  public void close() {
    admin.close();
  }
}
