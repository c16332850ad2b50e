package io.waybill.spring.internal.api;

import static io.waybill.spring.internal.api.Parameter.choice;
import static io.waybill.spring.internal.api.Parameter.optional;
import static io.waybill.spring.internal.api.Parameter.text;
import static io.waybill.spring.internal.api.Parameter.texts;

import io.waybill.admin.Admin;
import io.waybill.admin.Instruction;
import io.waybill.broker.DestinationDeclaration.Settings;
import io.waybill.broker.DestinationDeclaration.State;
import io.waybill.spring.internal.destination.Declaration;
import io.waybill.spring.internal.destination.DeclaredDestinations;
import io.waybill.spring.internal.destination.DestinationNameException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The declaration of what destinations lack at the broker: looked at, then done. */
final class DeclareChange {
  private static final int MOST_NAMES = 100;
  private static final int MOST_PARTITIONS = 100_000;

  private static final List<Parameter> PARAMETERS =
      List.of(
          texts(
              "destination",
              MOST_NAMES,
              "Names of destinations; without one, all that the routes name."),
          optional(
              "partitions",
              -1,
              MOST_PARTITIONS,
              "Kafka: partitions of a new topic, -1 for the broker's default."),
          optional(
              "replicationFactor",
              -1,
              Short.MAX_VALUE,
              "Kafka: replicas of a new topic, -1 for the broker's default."),
          choice(
              "exchangeType",
              List.of("topic", "direct", "fanout", "headers"),
              "RabbitMQ: type of a new exchange; that of the topology, else topic."),
          text("queue", "RabbitMQ: the queue to bind with the routing key.").atMost(255),
          choice(
              "queueType",
              List.of("quorum", "classic"),
              "RabbitMQ: type of a new queue; quorum without it."),
          choice(
              "singleActiveConsumer",
              List.of("true", "false"),
              "RabbitMQ: whether one consumer at a time gets the messages of a new queue."));

  static final List<Operation> ALL =
      List.of(
          Operation.question(
                  "/destinations/declare",
                  "destinations declare",
                  "The parts of destinations at the broker, and those that are missing. Nothing is changed.",
                  PARAMETERS,
                  DeclaredDestinations.Result.class,
                  (admin, call) -> answer(admin, call, null))
              .by(Role.ADMINISTRATOR),
          Operation.change(
                  "/destinations/declare",
                  "destinations declare",
                  "Declare what destinations lack at the broker. Parts that exist stay as they are.",
                  Operations.with(PARAMETERS, Changes.REASON),
                  DeclaredDestinations.Result.class,
                  (admin, call) -> answer(admin, call, Changes.instruction(call)))
              .by(Role.ADMINISTRATOR));

  private DeclareChange() {}

  private static DeclaredDestinations.Result answer(
      Admin admin, Call call, @Nullable Instruction by) {
    Declaration declaration = declaration(call);
    DeclaredDestinations.Result result =
        call.broker()
            .use(
                broker -> {
                  try {
                    return new DeclaredDestinations(
                            broker, call.broker().routed(), admin, declaration)
                        .run(by);
                  } catch (DestinationNameException e) {
                    throw ApiProblem.invalid(
                        "destination",
                        String.valueOf(e.getMessage()),
                        String.join(", ", declaration.names()));
                  } catch (IllegalArgumentException e) {
                    throw ApiProblem.unfit(String.valueOf(e.getMessage()));
                  }
                });
    if (result.silent() && !result.has(State.DECLARED)) {
      throw ApiProblem.broker(String.valueOf(result.failure()));
    }
    return result;
  }

  private static Declaration declaration(Call call) {
    return new Declaration(
        call.texts("destination"),
        new Settings(
            call.numberIfAny("partitions"),
            call.numberIfAny("replicationFactor"),
            call.text("exchangeType"),
            call.text("queueType"),
            Boolean.parseBoolean(call.text("singleActiveConsumer"))),
        call.text("queue"));
  }
}
