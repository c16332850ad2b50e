package io.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.Destination;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import io.waybill.observe.Finding.Severity;
import io.waybill.testkit.Patience;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the checks say of the exchange of a route and of the queues behind it. */
class RabbitRouteChecksTest extends CheckedBroker {
  static Stream<Arguments> losing() {
    Map<String, Object> reject = Map.of("x-max-length", 5, "x-overflow", "reject-publish");
    Map<String, Object> moved = Map.of("x-max-length", 5, "x-dead-letter-exchange", "amq.fanout");
    Map<String, Object> ttlMoved =
        Map.of("x-message-ttl", 1000, "x-dead-letter-exchange", "amq.fanout");
    Map<String, Object> nowhere = Map.of("x-message-ttl", 1000, "x-dead-letter-exchange", "none");
    Map<String, Object> unbound =
        Map.of("x-message-ttl", 1000, "x-dead-letter-exchange", "amq.headers");
    Map<String, Object> noDead =
        Map.of(
            "x-message-ttl", 1000,
            "x-dead-letter-exchange", "",
            "x-dead-letter-routing-key", "none");
    Map<String, Object> limit = Map.of("x-queue-type", "quorum", "x-delivery-limit", 3);
    return Stream.of(
        queue("plain", true, false, Map.of(), "", null),
        queue("reject", true, false, reject, "", null),
        queue("ttl-moved", true, false, ttlMoved, "", null),
        queue("moved", true, false, moved, "dead-letter", Check.RABBITMQ_QUEUE_MOVES_OLDEST),
        queue(
            "nowhere",
            true,
            false,
            nowhere,
            "routes them to no queue",
            Check.RABBITMQ_DEAD_LETTERS_LOST),
        queue(
            "unbound",
            true,
            false,
            unbound,
            "routes them to no queue",
            Check.RABBITMQ_DEAD_LETTERS_LOST),
        queue(
            "no-dead",
            true,
            false,
            noDead,
            "routes them to no queue",
            Check.RABBITMQ_DEAD_LETTERS_LOST),
        queue("limit", true, false, limit, "3 times", Check.RABBITMQ_REDELIVERED_DROPPED),
        queue("transient", false, false, Map.of(), "not durable", Check.RABBITMQ_QUEUE_NOT_DURABLE),
        queue("auto", true, true, Map.of(), "last consumer", Check.RABBITMQ_QUEUE_AUTO_DELETED),
        queue(
            "drop",
            true,
            false,
            Map.of("x-max-length", 5),
            "5 messages",
            Check.RABBITMQ_QUEUE_DROPS_OLDEST),
        queue(
            "bytes",
            true,
            false,
            Map.of("x-max-length-bytes", 9),
            "9 bytes",
            Check.RABBITMQ_QUEUE_DROPS_OLDEST),
        queue(
            "ttl",
            true,
            false,
            Map.of("x-message-ttl", 1000),
            "1000 ms",
            Check.RABBITMQ_MESSAGES_EXPIRE),
        queue(
            "expires",
            true,
            false,
            Map.of("x-expires", 60000),
            "60000 ms",
            Check.RABBITMQ_QUEUE_EXPIRES));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("losing")
  void judgesTheQueuesBehindAnExchange(
      String name,
      boolean durable,
      boolean autoDelete,
      Map<String, Object> arguments,
      Finds finds) {
    String exchange = "x." + name;
    Broker.call(server, channel -> channel.exchangeDeclare(exchange, "topic", true));
    Broker.call(server, c -> c.queueDeclare("q." + name, durable, false, autoDelete, arguments));
    Broker.call(server, channel -> channel.queueBind("q." + name, exchange, "#"));
    List<Finding> findings = checks(NOTHING).check(List.of(Destination.exchange(exchange, "k")));
    if (finds.check() == null) {
      assertThat(findings).isEmpty();
      return;
    }
    assertThat(findings)
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.check()).isEqualTo(finds.check());
              assertThat(finding.detail()).contains("q." + name, finds.words());
              assertThat(finding.remedy()).isNotEmpty();
            });
  }

  @Test
  void judgesExchanges() {
    Map<String, Object> alternate = Map.of("alternate-exchange", "amq.fanout");
    Broker.call(server, c -> c.exchangeDeclare("e.transient", "topic", false));
    Broker.call(server, c -> c.exchangeDeclare("e.auto", "topic", true, true, Map.of()));
    Broker.call(server, c -> c.exchangeDeclare("e.alt", "topic", true, false, alternate));
    Broker.call(server, c -> c.exchangeDeclare("e.policy", "topic", true));
    Broker.call(server, c -> c.exchangeDeclare("e.unbound", "topic", true));
    for (String exchange : List.of("e.transient", "e.auto", "e.alt", "e.policy")) {
      Broker.call(server, channel -> channel.queueBind("dead", exchange, "#"));
    }
    server.ctl(
        "set_policy",
        "alt",
        "^e.policy$",
        "{\"alternate-exchange\":\"amq.fanout\"}",
        "--apply-to",
        "exchanges");
    assertThat(exchange("e.transient")).containsExactly(Check.RABBITMQ_EXCHANGE_NOT_DURABLE);
    assertThat(exchange("e.auto")).containsExactly(Check.RABBITMQ_EXCHANGE_NOT_DURABLE);
    assertThat(exchange("e.alt")).containsExactly(Check.RABBITMQ_ALTERNATE_EXCHANGE);
    assertThat(exchange("e.unbound")).containsExactly(Check.RABBITMQ_EXCHANGE_UNBOUND);
    awaitChecks("e.policy", Check.RABBITMQ_ALTERNATE_EXCHANGE);

    Broker.call(server, channel -> channel.queueBind("dead", "e.unbound", "#"));
    assertThat(exchange("e.unbound")).isEmpty();
    server.ctl("clear_policy", "alt");
    awaitChecks("e.policy");
  }

  private static void awaitChecks(String exchange, Check... checks) {
    Awaitility.await()
        .atMost(Patience.of(Duration.ofSeconds(15)))
        .untilAsserted(() -> assertThat(exchange(exchange)).containsExactly(checks));
  }

  private static List<Check> exchange(String name) {
    List<Finding> findings = checks(NOTHING).check(List.of(Destination.exchange(name, "k")));
    // Then nothing was checked: the failure shows why.
    assertThat(findings).noneMatch(found -> found.check() == Check.RABBITMQ_MANAGEMENT_SILENT);
    return findings.stream().map(Finding::check).toList();
  }

  @Test
  void namesAQueueWhoseRefusalsLeaveCopiesInOthers() {
    Map<String, Object> limited = Map.of("x-max-length", 5, "x-overflow", "reject-publish");
    Broker.call(server, c -> c.exchangeDeclare("f.all", "fanout", true));
    Broker.call(server, c -> c.queueDeclare("f.limited", true, false, false, limited));
    Broker.call(server, c -> c.queueDeclare("f.other", true, false, false, Map.of()));
    Broker.call(server, c -> c.queueBind("f.limited", "f.all", ""));
    assertThat(exchange("f.all")).isEmpty();
    Broker.call(server, c -> c.queueBind("f.other", "f.all", ""));
    assertThat(exchange("f.all")).containsExactly(Check.RABBITMQ_REFUSAL_SHARED);
  }

  @Test
  void seesAQueueOfAConnection() {
    Broker.call(server, c -> c.exchangeDeclare("x.exclusive", "topic", true));
    Broker.call(
        server,
        channel -> {
          channel.queueDeclare("q.exclusive", true, true, false, Map.of());
          channel.queueBind("q.exclusive", "x.exclusive", "#");
          assertThat(exchange("x.exclusive")).contains(Check.RABBITMQ_QUEUE_EXCLUSIVE);
          return channel;
        });
  }

  @Test
  void seesAPolicyThatDropsMessages() {
    Broker.call(server, c -> c.queueDeclare("policy.orders", true, false, false, Map.of()));
    List<Destination> routes = List.of(Destination.exchange("", "policy.orders"));
    assertThat(checks(NOTHING).check(routes)).isEmpty();
    server.ctl("set_policy", "cap", "^policy\\.", "{\"max-length\":7,\"message-ttl\":5000}");
    Awaitility.await()
        .atMost(Patience.of(Duration.ofSeconds(15)))
        .untilAsserted(
            () ->
                assertThat(checks(NOTHING).check(routes))
                    .hasSize(2)
                    .allMatch(finding -> finding.severity() == Severity.REFUSE));
  }

  private static Arguments queue(
      String name,
      boolean durable,
      boolean autoDelete,
      Map<String, Object> arguments,
      String words,
      @Nullable Check check) {
    return Arguments.of(name, durable, autoDelete, arguments, new Finds(check, words));
  }

  private record Finds(@Nullable Check check, String words) {}
}
