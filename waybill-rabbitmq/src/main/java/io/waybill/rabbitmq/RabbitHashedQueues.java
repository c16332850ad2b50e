package io.waybill.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import io.waybill.rabbitmq.internal.Failures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/**
 * Several queues among which the broker divides the keys of one exchange. They are quorum queues
 * with a single active consumer behind an exchange of type {@code x-consistent-hash}, which hashes
 * the header {@code waybill-aggregate-id}. Each key stays in one queue, which keeps its order. A
 * change of the number of queues moves keys: let the queues run empty first.
 *
 * <p>The broker activates the consumer that came first. A process that consumes from all queues
 * before the others therefore reads all of them until it leaves. To read with several processes in
 * parallel, give each its own queues; a second consumer of a queue is on standby.
 *
 * <p>Needs the plugin {@code rabbitmq_consistent_hash_exchange}. Without it, use one queue with a
 * single active consumer to keep the order.
 *
 * @param name name of the hashing exchange, and of the queues before {@code -0}, {@code -1}
 * @param count number of queues, 1 to 128
 */
public record RabbitHashedQueues(String name, int count) {
  private static final String TYPE = "x-consistent-hash";
  private static final Map<String, Object> BY_KEY = Map.of("hash-header", "waybill-aggregate-id");
  private static final String EQUAL_SHARE = "1";

  /** Checks name and number. */
  public RabbitHashedQueues {
    if (name.isEmpty() || name.length() > 240) {
      throw new IllegalArgumentException(
          "hashed queues must have a name of 1 to 240 characters, is '" + name + "'");
    }
    if (count < 1 || count > 128) {
      throw new IllegalArgumentException("hashed queues must be 1 to 128, are " + count);
    }
  }

  /**
   * The queues, each a lane.
   *
   * @return names
   */
  public List<String> queues() {
    return IntStream.range(0, count).mapToObj(number -> name + "-" + number).toList();
  }

  /**
   * Declares exchange, queues and bindings. Those that exist with the same properties stay as they
   * are.
   *
   * @param config how to connect
   * @param exchange exchange that publishers use; it exists
   * @param routingKey routing key or pattern of the messages for these queues
   * @return a finding for each part that the broker refused, and for queues that already existed
   *     with a delivery limit; empty when all is declared
   */
  public List<Finding> declare(RabbitPublisherConfig config, String exchange, String routingKey) {
    try {
      Connection connection = new Connector(config).openPlain();
      try {
        return declare(connection, exchange, routingKey);
      } finally {
        connection.abort((int) config.connectTimeout().toMillis());
      }
    } catch (IOException | TimeoutException | RuntimeException e) {
      return List.of(finding(e, config));
    }
  }

  private List<Finding> declare(Connection connection, String exchange, String routingKey)
      throws IOException, TimeoutException {
    ScratchChannel scratch = new ScratchChannel(connection);
    ScratchChannel.Answer answer =
        scratch.ask(channel -> channel.exchangeDeclare(name, TYPE, true, false, BY_KEY));
    if (!answer.isYes()) {
      boolean isThere = scratch.ask(channel -> channel.exchangeDeclarePassive(name)).isYes();
      return List.of(
          answer.code() == AMQP.PRECONDITION_FAILED && !isThere
              ? unknownType()
              : refused("exchange " + name, answer));
    }
    List<Finding> findings = new ArrayList<>();
    for (String queue : queues()) {
      RabbitTopology declared = RabbitTopology.builder().singleActiveQueue(queue).build();
      findings.addAll(new TopologyDeclaration(connection).declare(declared));
      ask(
          connection,
          "binding of queue " + queue + " to exchange " + name,
          channel -> channel.queueBind(queue, name, EQUAL_SHARE),
          findings);
    }
    ask(
        connection,
        "binding of exchange " + name + " to exchange " + exchange,
        channel -> channel.exchangeBind(name, exchange, routingKey),
        findings);
    return findings;
  }

  private static void ask(
      Connection connection,
      String subject,
      ScratchChannel.Question question,
      List<Finding> findings)
      throws IOException, TimeoutException {
    ScratchChannel.Answer answer = new ScratchChannel(connection).ask(question);
    if (!answer.isYes()) {
      findings.add(refused(subject, answer));
    }
  }

  private static Finding refused(String subject, ScratchChannel.Answer answer) {
    return new Finding(
        Check.RABBITMQ_DECLARATION_REFUSED,
        subject,
        "the broker refused the declaration: " + answer.code() + " " + answer.text(),
        "make configuration and broker agree, or grant what is missing");
  }

  private Finding unknownType() {
    return new Finding(
        Check.RABBITMQ_DECLARATION_REFUSED,
        "exchange " + name,
        "the broker knows no exchanges of type " + TYPE + ": keys cannot be divided among queues",
        "rabbitmq-plugins enable rabbitmq_consistent_hash_exchange, or use one queue with"
            + " x-single-active-consumer");
  }

  /** RabbitMQ 3 ends a connection that asks for a type it does not know, RabbitMQ 4 a channel. */
  private Finding finding(Exception failure, RabbitPublisherConfig config) {
    boolean isUnknownType =
        failure.getCause() instanceof ShutdownSignalException signal
            && signal.getReason() instanceof AMQP.Connection.Close close
            && close.getReplyCode() == AMQP.COMMAND_INVALID;
    if (isUnknownType) {
      return unknownType();
    }
    return new Finding(
        Check.RABBITMQ_SILENT,
        "RabbitMQ",
        "cannot declare at " + config.addresses() + ": " + Failures.describe(failure),
        "start the broker, or correct address and credentials");
  }
}
