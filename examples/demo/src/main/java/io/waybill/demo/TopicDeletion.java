package io.waybill.demo;

import io.waybill.proof.server.KafkaServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/**
 * Deletes the topic in a moment in which the consumer has read all of it: what it still had would
 * be lost by the deletion, and no outbox could help.
 */
final class TopicDeletion {
  private static final long LIMIT_NANOS = Duration.ofSeconds(5).toNanos();
  private static final long LOOK_MILLIS = 50;

  private final KafkaServer server;
  private final Cast cast;
  private final Screen screen;
  // Of topics that were deleted.
  private long readBefore;

  TopicDeletion(KafkaServer server, Cast cast, Screen screen) {
    this.server = server;
    this.cast = cast;
    this.screen = screen;
  }

  static boolean exists(KafkaServer server) {
    try (Admin admin = server.admin()) {
      return admin.listTopics().names().get().contains(DemoBroker.TARGET);
    } catch (ExecutionException e) {
      throw new IllegalStateException("The topics could not be listed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  void run() {
    if (!exists(server)) {
      screen.event("there is no topic to delete: declare it in the console");
      return;
    }
    // Nothing is sent meanwhile.
    cast.first().frozen(() -> cast.second().frozen(this::whenRead));
  }

  private void whenRead() {
    long end = System.nanoTime() + LIMIT_NANOS;
    try (Admin admin = server.admin()) {
      long sent = sent(admin);
      // Twice the same, since the broker may still have had something to take.
      for (long before = -1; before != sent || read() < readBefore + sent; sent = sent(admin)) {
        before = sent;
        if (System.nanoTime() - end > 0) {
          screen.event("the topic stays: the consumer has not read all of it");
          return;
        }
        Thread.sleep(LOOK_MILLIS);
      }
      server.deleteTopic(DemoBroker.TARGET);
      readBefore += sent;
      screen.event("the topic is deleted: events wait until somebody declares it");
    } catch (ExecutionException e) {
      throw new IllegalStateException("The topic could not be deleted", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private long read() {
    try (Stream<String> lines = Files.lines(cast.received())) {
      return lines.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long sent(Admin admin) throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetSpec> ends =
        admin.describeTopics(List.of(DemoBroker.TARGET)).allTopicNames().get().values().stream()
            .flatMap(topic -> topic.partitions().stream())
            .map(partition -> new TopicPartition(DemoBroker.TARGET, partition.partition()))
            .collect(Collectors.toMap(Function.identity(), partition -> OffsetSpec.latest()));
    return admin.listOffsets(ends).all().get().values().stream()
        .mapToLong(end -> end.offset())
        .sum();
  }
}
