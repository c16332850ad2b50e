package io.waybill.server.destination;

import io.waybill.broker.Broker;
import io.waybill.broker.DestinationDeclaration;
import io.waybill.kafka.KafkaBroker;
import io.waybill.message.Transport;
import io.waybill.rabbitmq.RabbitBroker;
import io.waybill.rabbitmq.RabbitTopology;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How what is missing is declared. */
public final class DeclareOptions {
  private static final int MOST_BYTES = 255;

  @Option(
      names = "--partitions",
      paramLabel = "N",
      description =
          "Kafka: partitions of a new topic, -1 for the broker's default. Default: that of"
              + " create-topics, else the broker's.")
  private @Nullable Integer partitions;

  @Option(
      names = "--replication-factor",
      paramLabel = "N",
      description = "Kafka: replicas of a new topic, likewise.")
  private @Nullable Integer replicationFactor;

  @Option(
      names = "--exchange-type",
      paramLabel = "TYPE",
      description =
          "RabbitMQ: topic, direct, fanout or headers, of a new exchange. Default: that of the"
              + " topology, else topic.")
  private RabbitTopology.@Nullable ExchangeType exchangeType;

  @Option(
      names = "--queue",
      paramLabel = "QUEUE",
      description =
          "RabbitMQ: the queue to bind with the routing key, declared if it is missing. It gets a"
              + " copy of each event from then on.")
  private @Nullable String queue;

  @Option(
      names = "--queue-type",
      paramLabel = "TYPE",
      description = "RabbitMQ: quorum or classic, of a new queue. Default: quorum.")
  private RabbitTopology.@Nullable QueueType queueType;

  @Option(
      names = "--single-active-consumer",
      description = "RabbitMQ: a new queue serves one consumer at a time, which keeps the order.")
  private boolean singleActive;

  /** Filled by picocli. */
  public DeclareOptions() {}

  /** The queue to bind, or null. */
  @Nullable String queue() {
    return queue;
  }

  /** What declares so at the broker. */
  DestinationDeclaration declaration(Broker broker) {
    boolean forKafka = partitions != null || replicationFactor != null;
    boolean forRabbit = exchangeType != null || queue != null || queueType != null || singleActive;
    if (broker.transport() == Transport.KAFKA ? forRabbit : forKafka) {
      throw new CommandFailure(
          ExitCode.USAGE,
          broker.transport() == Transport.KAFKA
              ? "Kafka has topics alone: go without options of exchanges and queues"
              : "RabbitMQ has no topics: go without --partitions and --replication-factor");
    }
    if (broker instanceof KafkaBroker kafka) {
      try {
        return kafka.declaration(partitions, replicationFactor);
      } catch (IllegalArgumentException e) {
        throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()));
      }
    }
    requireName();
    return ((RabbitBroker) broker)
        .declaration(
            exchangeType,
            queueType == null ? RabbitTopology.QueueType.QUORUM : queueType,
            singleActive);
  }

  private void requireName() {
    if (queue != null
        && (queue.isBlank() || queue.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES)) {
      throw new CommandFailure(
          ExitCode.USAGE, "--queue must be a name of 1 to 255 bytes, but is '" + queue + "'");
    }
  }
}
