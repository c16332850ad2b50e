package io.waybill.kafka;

import io.waybill.broker.ConsumableBroker.Depth;
import io.waybill.broker.DeadLetterAccessException;
import io.waybill.kafka.internal.DeepestCause;
import io.waybill.kafka.internal.TopicName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** How much lies in topics, by one client that is closed again. */
final class TopicDepths {
  private static final long LIMIT_SECONDS = 3;

  private TopicDepths() {}

  static Map<String, Depth> of(KafkaPublisherConfig config, Collection<String> names) {
    List<String> topics = names.stream().filter(name -> TopicName.refusal(name) == null).toList();
    Admin admin = null;
    try {
      admin = Admin.create(ClientProperties.admin(config));
      List<TopicPartition> partitions = partitions(admin, topics);
      Map<TopicPartition, Long> first = offsets(admin, partitions, OffsetSpec.earliest());
      Map<TopicPartition, Long> end = offsets(admin, partitions, OffsetSpec.latest());
      Map<String, Depth> depths = new TreeMap<>();
      first.forEach(
          (partition, offset) ->
              depths.put(
                  partition.toString(), new Depth(offset, end.getOrDefault(partition, offset))));
      return depths;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw silent(e);
    } catch (ExecutionException | TimeoutException | KafkaException e) {
      throw silent(e);
    } finally {
      if (admin != null) {
        admin.close(Duration.ZERO);
      }
    }
  }

  private static DeadLetterAccessException silent(Exception why) {
    return new DeadLetterAccessException(
        "Kafka does not say how much lies in its topics: " + DeepestCause.text(why), false, why);
  }

  /** Those of topics that are there, and that the user may see. */
  private static List<TopicPartition> partitions(Admin admin, List<String> topics)
      throws InterruptedException, ExecutionException, TimeoutException {
    List<TopicPartition> partitions = new ArrayList<>();
    for (Map.Entry<String, KafkaFuture<TopicDescription>> topic :
        admin.describeTopics(topics).topicNameValues().entrySet()) {
      try {
        topic
            .getValue()
            .get(LIMIT_SECONDS, TimeUnit.SECONDS)
            .partitions()
            .forEach(each -> partitions.add(new TopicPartition(topic.getKey(), each.partition())));
      } catch (ExecutionException e) {
        rethrowUnlessHidden(e);
      }
    }
    return partitions;
  }

  private static void rethrowUnlessHidden(ExecutionException e) throws ExecutionException {
    if (!(e.getCause() instanceof UnknownTopicOrPartitionException
        || e.getCause() instanceof AuthorizationException)) {
      throw e;
    }
  }

  private static Map<TopicPartition, Long> offsets(
      Admin admin, List<TopicPartition> partitions, OffsetSpec which)
      throws InterruptedException, ExecutionException, TimeoutException {
    Map<TopicPartition, ListOffsetsResultInfo> found = new HashMap<>();
    var answer =
        admin.listOffsets(
            partitions.stream().collect(Collectors.toMap(Function.identity(), each -> which)));
    for (TopicPartition partition : partitions) {
      try {
        found.put(
            partition, answer.partitionResult(partition).get(LIMIT_SECONDS, TimeUnit.SECONDS));
      } catch (ExecutionException e) {
        rethrowUnlessHidden(e);
      }
    }
    return found.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, each -> each.getValue().offset()));
  }
}
