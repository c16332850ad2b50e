package io.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import io.waybill.proof.server.RabbitServer;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When the tested broker gives a message up, and whether Waybill knows it. */
@Tag("server")
class RabbitDeliveryLimitTest {
  /** More often than the limit that newer brokers have by themselves. */
  private static final int OFTEN = 50;

  private static final int QUIET_SECONDS = 3;

  private static RabbitServer server;
  private static ManagementApi api;

  @BeforeAll
  static void launch() throws Exception {
    server = RabbitServer.launch(List.of("rabbitmq_management"), List.of());
    RabbitManagement management =
        new RabbitManagement(URI.create(server.managementUrl()), "guest", "guest");
    api = new ManagementApi(management, Broker.config(server).build());
    for (int limit : List.of(2, 4)) {
      policy("limits" + limit, "^policy\\." + limit + "\\.", limit);
    }
    if (isDefault()) {
      policy("unlimited", "^policy\\.-1\\.", DeliveryLimit.NONE);
    }
  }

  private static void policy(String name, String pattern, int limit) {
    String definition = "{\"delivery-limit\":" + limit + "}";
    server.ctl("set_policy", name, pattern, definition, "--apply-to", "queues");
  }

  private static boolean isDefault() throws Exception {
    return DeliveryLimit.isDefault(api.version());
  }

  @AfterAll
  static void close() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatWaybillDeclaresKeepsAMessageHoweverOftenItIsGivenBack(boolean isSingleActive) {
    String name = "kept." + isSingleActive;
    RabbitTopology.Builder topology = RabbitTopology.builder();
    RabbitTopology declared =
        (isSingleActive ? topology.singleActiveQueue(name) : topology.queue(name)).build();
    assertThat(new RabbitChecks(Broker.config(server).build(), declared, null).declare()).isEmpty();
    RabbitContractSource.publish(server, name, "k", List.of("a"));
    assertThat(failures(name, OFTEN)).isEqualTo(OFTEN);
    assertThat(returns(name, OFTEN)).isEqualTo(OFTEN);
    assertThat(failures(name, 1)).isEqualTo(1);
  }

  /** Brokers without a limit of their own refuse a policy of -1. */
  static Stream<Arguments> argumentsAndPolicies() throws Exception {
    Stream<Arguments> everywhere =
        Stream.of(
            Arguments.of(null, null),
            Arguments.of(-1, null),
            Arguments.of(3, null),
            Arguments.of(null, 2),
            Arguments.of(-1, 2),
            Arguments.of(3, 2),
            Arguments.of(3, 4));
    return isDefault()
        ? Stream.concat(
            everywhere,
            Stream.of(Arguments.of(null, -1), Arguments.of(-1, -1), Arguments.of(3, -1)))
        : everywhere;
  }

  @ParameterizedTest(name = "argument {0}, policy {1}")
  @MethodSource("argumentsAndPolicies")
  void theLimitInForceIsTheOneThatTheBrokerKeeps(
      @Nullable Integer argument, @Nullable Integer policy) throws Exception {
    String name = "policy." + policy + "." + argument;
    Map<String, Object> arguments = new HashMap<>(Broker.QUORUM);
    if (argument != null) {
      arguments.put(DeliveryLimit.ARGUMENT, argument);
    }
    RabbitContractSource.create(server, name, arguments);
    if (policy != null) {
      awaitPolicy(name, policy);
    }
    OptionalInt limit = DeliveryLimit.of(seen(name), api.version());
    RabbitContractSource.publish(server, name, "k", List.of("a"));
    int failures = failures(name, OFTEN);
    assertThat(limit).isEqualTo(failures == OFTEN ? OptionalInt.empty() : just(failures - 1));
  }

  @Test
  void aPolicyThatTakesTheLimitAwayWorksOnAQueueThatIsThere() throws Exception {
    if (!isDefault()) {
      return;
    }
    RabbitContractSource.create(server, "mended", Broker.QUORUM);
    assertThat(DeliveryLimit.of(seen("mended"), api.version())).hasValue(DeliveryLimit.DEFAULT);
    policy("mend", "^mended$", DeliveryLimit.NONE);
    awaitPolicy("mended", DeliveryLimit.NONE);
    RabbitContractSource.publish(server, "mended", "k", List.of("a"));
    assertThat(failures("mended", OFTEN)).isEqualTo(OFTEN);
    assertThat(DeliveryLimit.of(seen("mended"), api.version())).isEmpty();
  }

  private static OptionalInt just(int limit) {
    return OptionalInt.of(limit);
  }

  /** The management API shows a policy a few seconds after it is in force. */
  private static void awaitPolicy(String queue, int limit) {
    Awaitility.await()
        .until(
            () ->
                String.valueOf(limit)
                    .equals(QueueRules.setting(policies(queue), "delivery-limit")));
  }

  /** Without its arguments. */
  private static JsonValue policies(String queue) throws Exception {
    Map<String, JsonValue> fields = new HashMap<>(seen(queue).fields());
    fields.remove("arguments");
    return new JsonValue(fields, List.of(), null);
  }

  private static JsonValue seen(String queue) throws Exception {
    return Objects.requireNonNull(api.queue(queue));
  }

  /** How often a message is delivered whose delivery fails each time. */
  private static int failures(String queue, int most) {
    return deliveries(queue, most, (channel, tag) -> channel.basicReject(tag, true));
  }

  /** How often a message is delivered that is given back each time. */
  private static int returns(String queue, int most) {
    return deliveries(queue, most, (channel, tag) -> channel.basicNack(tag, false, true));
  }

  /** A queue that has nothing for so long has lost the message. */
  private static int deliveries(String queue, int most, Answer answer) {
    return Broker.call(
        server,
        channel -> {
          BlockingQueue<Long> tags = new LinkedBlockingQueue<>();
          channel.basicQos(1);
          String consumer =
              channel.basicConsume(
                  queue,
                  false,
                  (tag, message) -> tags.add(message.getEnvelope().getDeliveryTag()),
                  tag -> {});
          int count = 0;
          Long next = tags.poll(QUIET_SECONDS, TimeUnit.SECONDS);
          while (next != null) {
            count++;
            if (count == most) {
              channel.basicCancel(consumer);
            }
            answer.give(channel, next);
            next = count == most ? null : tags.poll(QUIET_SECONDS, TimeUnit.SECONDS);
          }
          return count;
        });
  }

  /** What a consumer says of a message. */
  private interface Answer {
    void give(Channel channel, long tag) throws Exception;
  }
}
