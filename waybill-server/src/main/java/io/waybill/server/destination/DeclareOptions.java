package io.waybill.server.destination;

import io.waybill.broker.DestinationDeclaration;
import io.waybill.broker.DestinationDeclaration.State;
import io.waybill.rabbitmq.RabbitTopology;
import io.waybill.server.terminal.ExitCode;
import io.waybill.server.terminal.Output;
import io.waybill.spring.internal.config.Printable;
import io.waybill.spring.internal.destination.Declaration;
import io.waybill.spring.internal.destination.DeclaredDestinations.Result;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How what is missing is declared. */
public final class DeclareOptions {
  private static final String FLOWS =
      "Events that wait for what was declared flow by themselves within seconds.";

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

  /**
   * The declaration that the options ask for.
   *
   * @param names names of destinations; none for those of all routes
   */
  public Declaration of(List<String> names) {
    return new Declaration(
        names,
        new DestinationDeclaration.Settings(
            partitions,
            replicationFactor,
            exchangeType == null ? null : exchangeType.name(),
            queueType == null ? null : queueType.name(),
            singleActive),
        queue);
  }

  /** Tells what was found or done; returns the exit code. */
  public int tell(Result result, boolean dryRun, Output output) {
    if (output.json()) {
      Map<String, @Nullable Object> object = new LinkedHashMap<>();
      object.put("verb", "declare");
      object.put("dryRun", dryRun);
      object.put("parts", rows(result));
      object.put("failure", result.failure());
      output.object(object);
    } else {
      output.rows(rows(result), "No route names a destination.");
      if (result.failure() != null) {
        output.line("Failed: " + Printable.line(result.failure()));
      }
      if (result.lacksQueue()) {
        output.line("Name the queue to bind with --queue, and its destination.");
      }
      output.line(
          dryRun ? planned(result) : result.has(State.DECLARED) ? FLOWS : "Nothing was declared.");
    }
    if (result.silent()) {
      return ExitCode.UNREACHABLE;
    }
    boolean lacking = result.has(State.REFUSED) || (!dryRun && result.has(State.MISSING));
    return result.failure() != null || lacking ? ExitCode.FINDINGS : ExitCode.OK;
  }

  private String planned(Result result) {
    return result.has(State.MISSING) || (queue != null && result.has(State.UNKNOWN))
        ? "Nothing was changed. Add --yes and --reason to declare what is not there."
        : "Nothing is missing, as far as can be seen.";
  }

  private static List<Map<String, @Nullable Object>> rows(Result result) {
    return result.parts().stream()
        .map(
            part -> {
              Map<String, @Nullable Object> row = new LinkedHashMap<>();
              row.put("destination", part.destination());
              row.put("part", part.part());
              row.put("state", part.state().name());
              row.put("detail", Printable.line(part.detail()));
              row.put("failure", part.failure());
              return row;
            })
        .toList();
  }
}
