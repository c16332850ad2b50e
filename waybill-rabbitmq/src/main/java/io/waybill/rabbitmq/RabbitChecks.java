package io.waybill.rabbitmq;

import com.rabbitmq.client.Connection;
import io.waybill.message.Destination;
import io.waybill.message.EventLimits;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import io.waybill.rabbitmq.internal.Failures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Start-up checks of a RabbitMQ broker, and the declaration of its topology on request. Each call
 * opens its own connection and blocks within the configured limits. Thread-safe.
 */
public final class RabbitChecks {
  private static final RabbitTopology NONE = RabbitTopology.builder().build();
  // What the management API shows better.
  private static final Set<Check> SEEN =
      EnumSet.of(
          Check.RABBITMQ_DELIVERIES_LIMITED,
          Check.RABBITMQ_QUEUE_TYPE_DIFFERS,
          Check.RABBITMQ_BINDING_DENIED);

  private final RabbitPublisherConfig config;
  private final RabbitTopology topology;
  private final @Nullable RabbitManagement management;

  /**
   * Creates the checks.
   *
   * @param config how to connect
   * @param topology what has to be there
   * @param management access to the management API, or null; without it the checks cannot see
   *     properties and policies of queues, which is a finding
   * @throws IllegalArgumentException if the password of the management API would go to another
   *     machine in plaintext and the configuration does not allow that
   */
  public RabbitChecks(
      RabbitPublisherConfig config,
      RabbitTopology topology,
      @Nullable RabbitManagement management) {
    if (management != null) {
      PlaintextPasswords.check(management, config);
    }
    this.config = config;
    this.topology = topology;
    this.management = management;
  }

  /**
   * Declares the topology. Exchanges and queues that exist are used as they are, whatever their
   * type and arguments; only a queue that needs a single active consumer is refused without one.
   *
   * @return a finding for each part that the broker refused, and for each that differs from the
   *     topology; empty when all is declared. With access to the management API, {@link #check}
   *     reports types, delivery limits and bindings instead, and finds out more about them.
   */
  public List<Finding> declare() {
    return unseen(onBroker(connection -> new TopologyDeclaration(connection).declare(topology)));
  }

  private List<Finding> unseen(List<Finding> findings) {
    return management == null
        ? findings
        : findings.stream().filter(each -> !SEEN.contains(each.check())).toList();
  }

  /**
   * Checks without changing anything.
   *
   * @param routes destinations of the routes; where the routing key depends on the event, any such
   *     key
   * @return findings, the refusing ones first; empty when all is well
   */
  public List<Finding> check(Collection<Destination> routes) {
    List<Finding> findings = new ArrayList<>(sizes());
    findings.addAll(
        unseen(onBroker(connection -> new PassiveCheck(connection).check(topology, routes))));
    findings.addAll(
        queueFindings(api -> new PolicyCheck(api, config.connections()).check(topology, routes)));
    // A broker with an alarm takes nothing, and answers no further question on that connection.
    if (findings.stream().noneMatch(RabbitChecks::takesNothing)) {
      findings.addAll(onBroker(connection -> new WriteCheck(connection).check(routes)));
    }
    findings.sort((one, two) -> one.severity().compareTo(two.severity()));
    return findings;
  }

  /**
   * Checks queues on behalf of their consumer, without changing anything.
   *
   * @param queues their names
   * @return findings, the refusing ones first; empty when all is well
   */
  public List<Finding> checkConsumed(Collection<String> queues) {
    List<Destination> routes =
        queues.stream().map(queue -> Destination.exchange("", queue)).toList();
    List<Finding> findings =
        new ArrayList<>(onBroker(connection -> new PassiveCheck(connection).check(NONE, routes)));
    findings.addAll(
        queueFindings(
            api -> {
              List<Finding> found = new ArrayList<>();
              found.addAll(new PolicyCheck(api, config.connections()).check(NONE, routes));
              String version = api.version();
              for (String name : queues) {
                JsonValue queue = api.queue(name);
                if (queue != null) {
                  found.addAll(ConsumedQueue.judge(name, queue, version));
                }
              }
              return found;
            }));
    findings.sort((one, two) -> one.severity().compareTo(two.severity()));
    return findings;
  }

  private static boolean takesNothing(Finding finding) {
    return finding.check() == Check.RABBITMQ_SILENT || finding.check() == Check.RABBITMQ_ALARM;
  }

  private List<Finding> sizes() {
    EventLimits limits = EventLimits.ofDefaults();
    if (config.maxMessageBytes() >= limits.maxPayloadBytes()) {
      return List.of();
    }
    return List.of(
        new Finding(
            Check.RABBITMQ_MESSAGES_TOO_SMALL,
            "max-message-bytes",
            "it is smaller than the largest event, which would be refused: "
                + config.maxMessageBytes()
                + " < "
                + limits.maxPayloadBytes(),
            "set max-message-bytes to at least 1MB, and not above the broker's max_message_size"));
  }

  private List<Finding> queueFindings(Look look) {
    if (management == null) {
      return List.of(
          new Finding(
              Check.RABBITMQ_POLICIES_UNSEEN,
              "RabbitMQ queues",
              "cannot see queue policies without management-url: Waybill would not notice a queue"
                  + " that drops messages",
              "enable the plugin rabbitmq_management and set management-url"));
    }
    try {
      return look.at(new ManagementApi(management, config));
    } catch (IOException e) {
      return List.of(
          new Finding(
              Check.RABBITMQ_MANAGEMENT_SILENT,
              "RabbitMQ management",
              "cannot see queue policies: " + Failures.describe(e),
              "check management-url, and that its user has the tag monitoring"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of(
          new Finding(
              Check.RABBITMQ_MANAGEMENT_SILENT,
              "RabbitMQ management",
              "the check was interrupted",
              "check again"));
    }
  }

  private List<Finding> onBroker(Work work) {
    try {
      Connection connection = new Connector(config).openPlain();
      try {
        return work.on(connection);
      } finally {
        connection.abort((int) config.connectTimeout().toMillis());
      }
    } catch (IOException | TimeoutException | RuntimeException e) {
      return List.of(
          new Finding(
              Check.RABBITMQ_SILENT,
              "RabbitMQ",
              "cannot check the broker at " + config.addresses() + ": " + Failures.describe(e),
              "start the broker, or correct address and credentials; the relay keeps trying"));
    }
  }

  /** Something to ask the management API. */
  private interface Look {
    List<Finding> at(ManagementApi api) throws IOException, InterruptedException;
  }

  /** Something to do on a connection. */
  private interface Work {
    List<Finding> on(Connection connection) throws IOException, TimeoutException;
  }
}
