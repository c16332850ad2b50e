package io.waybill.kafka;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long topics keep messages, as far as their user may see it: Kafka deletes whole segments,
 * {@code retention.ms} after their newest message, and the oldest one may be {@code segment.ms}
 * older than that. It looks every {@code log.retention.check.interval.ms} (5 minutes), which is not
 * counted.
 */
final class TopicRetention {
  private static final Logger LOG = LoggerFactory.getLogger(TopicRetention.class);
  private static final long LIMIT_SECONDS = 5;

  private TopicRetention() {}

  /**
   * A client of its own asks. Those that can't be seen are left out.
   *
   * @throws UncheckedIOException if the broker did not answer
   */
  static Map<String, Duration> of(KafkaSubscriberConfig config) {
    Map<String, Duration> known = new TreeMap<>();
    Admin admin = null;
    try {
      admin = Admin.create(ClientProperties.admin(config.bootstrapServers(), config.properties()));
      List<ConfigResource> topics =
          config.topics().stream()
              .map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic))
              .toList();
      for (Map.Entry<ConfigResource, KafkaFuture<Config>> answer :
          admin.describeConfigs(topics).values().entrySet()) {
        read(answer.getKey().name(), answer.getValue(), known);
      }
    } catch (KafkaException | TimeoutException e) {
      throw unanswered(config, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unanswered(config, e);
    } finally {
      if (admin != null) {
        admin.close(Duration.ZERO);
      }
    }
    return known;
  }

  private static UncheckedIOException unanswered(KafkaSubscriberConfig config, Exception cause) {
    return new UncheckedIOException(
        new IOException(
            "No answer about the retention of " + config.topics() + " keep messages", cause));
  }

  private static void read(String topic, KafkaFuture<Config> answer, Map<String, Duration> known)
      throws InterruptedException, TimeoutException {
    try {
      known.put(topic, retention(answer.get(LIMIT_SECONDS, TimeUnit.SECONDS)));
    } catch (ExecutionException e) {
      // A topic that is not there is an answer.
      if (e.getCause() instanceof RetriableException passing
          && !(passing instanceof UnknownTopicOrPartitionException)) {
        throw passing;
      }
      LOG.debug("The retention of topic {} can't be read", topic, e);
    } catch (NumberFormatException e) {
      LOG.debug("The retention of topic {} can't be read", topic, e);
    }
  }

  /** A topic that is compacted and nothing else keeps the last message of each key. */
  private static Duration retention(Config config) {
    boolean deletes = value(config, "cleanup.policy").contains("delete");
    long millis = deletes ? Long.parseLong(value(config, "retention.ms")) : -1;
    return millis < 0
        ? ChronoUnit.FOREVER.getDuration()
        : Duration.ofMillis(millis).plusMillis(Long.parseLong(value(config, "segment.ms")));
  }

  private static String value(Config config, String name) {
    ConfigEntry entry = config.get(name);
    return entry == null || entry.value() == null ? "" : entry.value();
  }
}
