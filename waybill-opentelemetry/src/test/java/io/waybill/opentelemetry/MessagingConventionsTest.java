package io.waybill.opentelemetry;

import static io.opentelemetry.semconv.ErrorAttributes.ERROR_TYPE;
import static io.opentelemetry.semconv.ServerAttributes.SERVER_ADDRESS;
import static io.opentelemetry.semconv.ServerAttributes.SERVER_PORT;
import static io.opentelemetry.semconv.incubating.KafkaIncubatingAttributes.KAFKA_MESSAGE_TOMBSTONE;
import static io.opentelemetry.semconv.incubating.KafkaIncubatingAttributes.KAFKA_OFFSET;
import static io.opentelemetry.semconv.incubating.MessagingIncubatingAttributes.MESSAGING_BATCH_MESSAGE_COUNT;
import static io.opentelemetry.semconv.incubating.MessagingIncubatingAttributes.MESSAGING_CLIENT_ID;
import static io.opentelemetry.semconv.incubating.MessagingIncubatingAttributes.MESSAGING_CONSUMER_GROUP_NAME;
import static io.opentelemetry.semconv.incubating.MessagingIncubatingAttributes.MESSAGING_DESTINATION_NAME;
import static io.opentelemetry.semconv.incubating.MessagingIncubatingAttributes.MESSAGING_DESTINATION_PARTITION_ID;
import static io.opentelemetry.semconv.incubating.MessagingIncubatingAttributes.MESSAGING_MESSAGE_BODY_SIZE;
import static io.opentelemetry.semconv.incubating.MessagingIncubatingAttributes.MESSAGING_MESSAGE_CONVERSATION_ID;
import static io.opentelemetry.semconv.incubating.MessagingIncubatingAttributes.MESSAGING_MESSAGE_ID;
import static io.opentelemetry.semconv.incubating.MessagingIncubatingAttributes.MESSAGING_OPERATION_NAME;
import static io.opentelemetry.semconv.incubating.MessagingIncubatingAttributes.MESSAGING_OPERATION_TYPE;
import static io.opentelemetry.semconv.incubating.MessagingIncubatingAttributes.MESSAGING_SYSTEM_NAME;
import static io.opentelemetry.semconv.incubating.RabbitmqIncubatingAttributes.RABBITMQ_DESTINATION_ROUTING_KEY;
import static io.waybill.opentelemetry.MessagingConventionsTest.Level.OPTED_IN;
import static io.waybill.opentelemetry.MessagingConventionsTest.Level.RECOMMENDED;
import static io.waybill.opentelemetry.MessagingConventionsTest.Level.REQUIRED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.testing.junit5.OpenTelemetryExtension;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.semconv.incubating.MessagingIncubatingAttributes.MessagingOperationTypeIncubatingValues;
import io.opentelemetry.semconv.incubating.MessagingIncubatingAttributes.MessagingSystemNameIncubatingValues;
import io.waybill.broker.BrokerClient;
import io.waybill.broker.Confirmation;
import io.waybill.broker.Delivery;
import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.handler.Interceptor;
import io.waybill.internal.encode.Decoded;
import io.waybill.internal.encode.Decoder;
import io.waybill.message.Destination;
import io.waybill.message.Header;
import io.waybill.message.Headers;
import io.waybill.message.Place;
import io.waybill.message.ReceivedEvent;
import io.waybill.message.Transport;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Spans against the tables of OpenTelemetry's semantic conventions for messaging, version 1.45.0
 * (docs/messaging: messaging-spans.md, kafka.md, rabbitmq.md; sections "Send span (producer)" and
 * "Process span"). The names are the constants of its artifact {@code
 * opentelemetry-semconv-incubating}.
 */
class MessagingConventionsTest {
  private static final String TRACEPARENT =
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  private static final byte[] BODY = "{\"total\":1}".getBytes(StandardCharsets.UTF_8);

  @RegisterExtension
  static final OpenTelemetryExtension telemetry = OpenTelemetryExtension.create();

  private final WaybillTracing tracing = WaybillTracing.of(telemetry.getOpenTelemetry());

  /** Requirement levels; a condition is met where the row of the table says so. */
  enum Level {
    REQUIRED,
    /** Conditionally required, and the condition holds. */
    CONDITION_HOLDS,
    RECOMMENDED,
    OPTED_IN
  }

  /** A row of a table of the conventions: null as value for anything. */
  private record Row<T>(AttributeKey<T> key, Level level, @Nullable T value) {}

  private static <T> Row<T> row(AttributeKey<T> key, Level level, @Nullable T value) {
    return new Row<>(key, level, value);
  }

  private static <T> Row<T> where(AttributeKey<T> key, @Nullable T value) {
    return new Row<>(key, Level.CONDITION_HOLDS, value);
  }

  /** What the two tables of all systems have in common. */
  private static List<Row<?>> common(Transport transport, String operation, String type) {
    String system =
        switch (transport) {
          case KAFKA -> MessagingSystemNameIncubatingValues.KAFKA;
          case RABBITMQ -> MessagingSystemNameIncubatingValues.RABBITMQ;
        };
    return List.of(
        row(MESSAGING_SYSTEM_NAME, REQUIRED, system),
        row(MESSAGING_OPERATION_NAME, REQUIRED, operation),
        where(MESSAGING_OPERATION_TYPE, type),
        row(MESSAGING_CLIENT_ID, RECOMMENDED, "client-5"),
        row(MESSAGING_MESSAGE_ID, RECOMMENDED, "e-1"),
        row(MESSAGING_MESSAGE_CONVERSATION_ID, RECOMMENDED, "c-1"),
        row(SERVER_ADDRESS, RECOMMENDED, "broker.example.com"),
        row(SERVER_PORT, RECOMMENDED, 9092L));
  }

  private static List<Row<?>> with(List<Row<?>> common, Row<?>... more) {
    return Stream.concat(common.stream(), Stream.of(more)).toList();
  }

  private static final List<Row<?>> KAFKA_SEND =
      with(
          common(Transport.KAFKA, "send", MessagingOperationTypeIncubatingValues.SEND),
          where(MESSAGING_DESTINATION_NAME, "orders"),
          row(MESSAGING_DESTINATION_PARTITION_ID, RECOMMENDED, "3"),
          row(KAFKA_OFFSET, RECOMMENDED, 15L));

  private static final List<Row<?>> RABBITMQ_SEND =
      with(
          common(Transport.RABBITMQ, "publish", MessagingOperationTypeIncubatingValues.SEND),
          row(MESSAGING_DESTINATION_NAME, REQUIRED, "shop:orders"),
          where(RABBITMQ_DESTINATION_ROUTING_KEY, "orders"));

  private static final List<Row<?>> KAFKA_PROCESS =
      with(
          common(Transport.KAFKA, "process", MessagingOperationTypeIncubatingValues.PROCESS),
          where(MESSAGING_DESTINATION_NAME, "orders"),
          where(MESSAGING_CONSUMER_GROUP_NAME, "billing"),
          row(MESSAGING_DESTINATION_PARTITION_ID, RECOMMENDED, "3"),
          row(KAFKA_OFFSET, RECOMMENDED, 15L));

  private static final List<Row<?>> RABBITMQ_PROCESS =
      with(
          common(Transport.RABBITMQ, "process", MessagingOperationTypeIncubatingValues.PROCESS),
          row(MESSAGING_DESTINATION_NAME, REQUIRED, "shop:orders:billing"),
          where(RABBITMQ_DESTINATION_ROUTING_KEY, "orders"));

  private static BrokerClient client(Transport transport) {
    BrokerClient client =
        BrokerClient.of(transport).clientId("client-5").server("broker.example.com", 9092);
    return switch (transport) {
      case KAFKA -> client.consumerGroup("billing");
      case RABBITMQ -> client;
    };
  }

  private static Destination destination(Transport transport) {
    return switch (transport) {
      case KAFKA -> Destination.topic("orders");
      case RABBITMQ -> Destination.exchange("shop", "orders");
    };
  }

  private static Outgoing message(Destination destination, byte @Nullable [] body) {
    List<Header> headers =
        List.of(
            new Header("traceparent", TRACEPARENT), new Header("waybill-correlation-id", "c-1"));
    return new Outgoing(
        1, destination, null, body, "application/json", "e-1", "order.placed", 0, headers);
  }

  private void send(WaybillTracing by, Transport transport, Outgoing message, Confirmation end) {
    Wire wire = new Wire();
    BrokerClient client = client(transport).consumerGroup(null);
    Publisher traced = by.publisher(wire, client);
    traced.start(wire);
    traced.send(message);
    wire.confirm(end);
  }

  private static ReceivedEvent received(Transport transport, byte @Nullable [] body) {
    Headers headers =
        Headers.of(
            Map.of(
                "waybill-event-id", "e-1",
                "waybill-event-type", "order.placed",
                "waybill-correlation-id", "c-1",
                "traceparent", TRACEPARENT));
    Delivery delivery =
        switch (transport) {
          case KAFKA -> delivery("orders", "orders-3", body, headers, new Place.Offset(3, 15));
          case RABBITMQ ->
              delivery("billing", "billing", body, headers, new Place.Route("shop", "orders"));
        };
    return ((Decoded.Event) new Decoder().decode(delivery)).event();
  }

  private static Delivery delivery(
      String source, String lane, byte @Nullable [] body, Headers headers, Place place) {
    return new Delivery(source, lane, 15, null, body, headers, 0, false, 0, place, "token");
  }

  private static SpanData only() {
    assertThat(telemetry.getSpans()).hasSize(1);
    return telemetry.getSpans().get(0);
  }

  /** Every row of the table is there, and no attribute that no table has. */
  private static void assertFollows(SpanData span, List<Row<?>> table, Row<?>... more) {
    Map<AttributeKey<?>, Row<?>> rows =
        Stream.concat(table.stream(), Stream.of(more))
            .collect(Collectors.toMap(Row::key, Function.identity(), (one, other) -> other));
    rows.forEach(
        (key, row) -> {
          assertThat(span.getAttributes().asMap()).as("%s, %s", key, row.level()).containsKey(key);
          if (row.value() != null) {
            assertThat(span.getAttributes().get(key)).as("%s", key).isEqualTo(row.value());
          }
        });
    List<AttributeKey<?>> others = new ArrayList<>(span.getAttributes().asMap().keySet());
    others.removeAll(rows.keySet());
    assertThat(others).containsExactly(Spans.EVENT_TYPE);
    String operation = span.getAttributes().get(MESSAGING_OPERATION_NAME);
    String destination = span.getAttributes().get(MESSAGING_DESTINATION_NAME);
    assertThat(span.getName()).isEqualTo(operation + " " + destination);
  }

  @Test
  void aSendToKafkaFollowsItsTable() {
    Outgoing message = message(destination(Transport.KAFKA), BODY);
    send(tracing, Transport.KAFKA, message, new Confirmation.Confirmed(1, 3, 15));

    assertThat(only().getKind()).isEqualTo(SpanKind.PRODUCER);
    assertThat(only().getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    assertFollows(only(), KAFKA_SEND);
  }

  @Test
  void aSendToRabbitMqFollowsItsTable() {
    Outgoing message = message(destination(Transport.RABBITMQ), BODY);
    send(tracing, Transport.RABBITMQ, message, new Confirmation.Confirmed(1));

    assertThat(only().getKind()).isEqualTo(SpanKind.PRODUCER);
    assertFollows(only(), RABBITMQ_SEND);
  }

  @ParameterizedTest
  @CsvSource({"shop, '', shop", "'', billing, billing", "'', '', amq.default", "a, b, a:b"})
  void aDestinationOfRabbitMqIsExchangeAndRoutingKeyAsFarAsTheyAreThere(
      String exchange, String routingKey, String name) {
    Outgoing message = message(Destination.exchange(exchange, routingKey), BODY);
    send(tracing, Transport.RABBITMQ, message, new Confirmation.Confirmed(1));

    assertThat(only().getAttributes().get(MESSAGING_DESTINATION_NAME)).isEqualTo(name);
    assertThat(only().getName()).isEqualTo("publish " + name);
  }

  @ParameterizedTest
  @CsvSource({"shop, orders, shop:orders:billing", "'', billing, billing", "'', '', billing"})
  void theQueueIsPartOfTheDestinationThatIsProcessed(
      String exchange, String routingKey, String name) throws Exception {
    Headers headers = Headers.of(Map.of("waybill-event-id", "e", "waybill-event-type", "t"));
    Place place = new Place.Route(exchange, routingKey);
    Delivery delivery = delivery("billing", "billing", BODY, headers, place);
    ReceivedEvent event = ((Decoded.Event) new Decoder().decode(delivery)).event();
    tracing.interceptor(client(Transport.RABBITMQ)).around(List.of(event), () -> {});

    assertThat(only().getAttributes().get(MESSAGING_DESTINATION_NAME)).isEqualTo(name);
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void aHandlersCallFollowsItsTable(Transport transport) throws Exception {
    Interceptor interceptor = tracing.interceptor(client(transport));
    interceptor.around(List.of(received(transport, BODY)), () -> {});

    assertThat(only().getKind()).isEqualTo(SpanKind.CONSUMER);
    assertThat(only().getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    assertFollows(
        only(),
        switch (transport) {
          case KAFKA -> KAFKA_PROCESS;
          case RABBITMQ -> RABBITMQ_PROCESS;
        });
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void whatFailedHasAnErrorType(Transport transport) {
    Outgoing message = message(destination(transport), BODY);
    send(
        tracing,
        transport,
        message,
        new Confirmation.Rejected(1, "record-too-large", "must be at most 1 MiB"));

    assertThat(only().getAttributes().get(ERROR_TYPE)).isEqualTo("record-too-large");
    assertThat(only().getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(only().getStatus().getDescription()).isEqualTo("must be at most 1 MiB");
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void aHandlerThatFailedHasTheClassOfItsException(Transport transport) {
    Interceptor interceptor = tracing.interceptor(client(transport));
    Throwable thrown =
        catchThrowable(
            () ->
                interceptor.around(
                    List.of(received(transport, BODY)),
                    () -> {
                      throw new IllegalStateException("no");
                    }));

    assertThat(thrown).isInstanceOf(IllegalStateException.class);
    assertThat(only().getAttributes().get(ERROR_TYPE)).isEqualTo("java.lang.IllegalStateException");
    assertThat(only().getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
  }

  @Test
  void aTombstoneIsOneOnKafkaAlone() throws Exception {
    send(
        tracing,
        Transport.KAFKA,
        message(destination(Transport.KAFKA), null),
        new Confirmation.Confirmed(1, 3, 15));
    assertFollows(only(), KAFKA_SEND, where(KAFKA_MESSAGE_TOMBSTONE, true));

    telemetry.clearSpans();
    tracing
        .interceptor(client(Transport.RABBITMQ))
        .around(List.of(received(Transport.RABBITMQ, null)), () -> {});
    assertFollows(only(), RABBITMQ_PROCESS);
  }

  @Test
  void theSizeOfTheBodyIsForThoseWhoAskForIt() throws Exception {
    Row<Long> size = row(MESSAGING_MESSAGE_BODY_SIZE, OPTED_IN, (long) BODY.length);
    send(
        tracing.withBodySizes(),
        Transport.KAFKA,
        message(destination(Transport.KAFKA), BODY),
        new Confirmation.Confirmed(1, 3, 15));
    assertFollows(only(), KAFKA_SEND, size);

    telemetry.clearSpans();
    tracing
        .withBodySizes()
        .interceptor(client(Transport.KAFKA))
        .around(List.of(received(Transport.KAFKA, BODY)), () -> {});
    assertFollows(only(), KAFKA_PROCESS, size);
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void aBatchHasItsSizeAndNothingOfASingleMessage(Transport transport) throws Exception {
    ReceivedEvent event = received(transport, BODY);
    tracing.interceptor(client(transport)).around(List.of(event, event), () -> {});

    SpanData span = only();
    assertThat(span.getKind()).isEqualTo(SpanKind.CONSUMER);
    assertThat(span.getAttributes().get(MESSAGING_BATCH_MESSAGE_COUNT)).isEqualTo(2);
    assertThat(span.getAttributes().get(MESSAGING_DESTINATION_NAME)).isEqualTo(event.channel());
    assertThat(span.getLinks()).hasSize(2);
    assertThat(span.getAttributes().asMap())
        .doesNotContainKeys(MESSAGING_MESSAGE_ID, KAFKA_OFFSET, MESSAGING_MESSAGE_CONVERSATION_ID);
  }
}
