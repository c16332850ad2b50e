package io.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.waybill.broker.BrokerClient;
import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.broker.PublisherListener;
import io.waybill.message.Destination;
import io.waybill.message.Header;
import io.waybill.message.Transport;
import io.waybill.spring.CurrentTraceContext;
import io.waybill.spring.observation.DefaultPublishObservationConvention;
import io.waybill.spring.observation.PublishContext;
import io.waybill.spring.observation.PublishObservationConvention;
import io.waybill.testkit.PublisherRecorder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** Sends of messages with and without traces, with tracing as an application has it. */
class ObservedPublisherTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String PARENT = "00f067aa0ba902b7";
  private static final String RECORDED = "00-" + TRACE + "-" + PARENT + "-01";

  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext(Traces.class);
  private final ObservationRegistry registry = context.getBean(ObservationRegistry.class);
  private final CurrentTraceContext traces =
      new WaybillTracingAutoConfiguration()
          .waybillTraceContext(
              context.getBean(Tracer.class), context.getBeanProvider(Propagator.class));
  private final Wire wire = new Wire();
  private final PublisherRecorder told = new PublisherRecorder();
  private final Publisher publisher =
      observations(registry, traces)
          .around(wire, BrokerClient.of(Transport.KAFKA).server("kafka.example.com", 9092));

  private static Observations observations(
      ObservationRegistry registry, CurrentTraceContext traces) {
    return new Observations(registry, traces, null, null, null, null);
  }

  /** A broker that keeps what it is sent and answers on demand. */
  private static final class Wire implements Publisher {
    private final List<Outgoing> sent = new ArrayList<>();
    private final List<String> calls = new ArrayList<>();
    private PublisherListener listener = new PublisherRecorder();

    @Override
    public void start(PublisherListener told) {
      listener = told;
    }

    @Override
    public void send(Outgoing message) {
      sent.add(message);
    }

    @Override
    public int maxInFlightPerKey() {
      return 7;
    }

    @Override
    public Duration deliveryTimeout() {
      return Duration.ofSeconds(7);
    }

    @Override
    public void flush() {
      calls.add("flush");
    }

    @Override
    public void close() {
      calls.add("close");
    }
  }

  @BeforeEach
  void start() {
    publisher.start(told);
  }

  @AfterEach
  void close() {
    context.close();
  }

  private static Outgoing message(long sendId, Header... headers) {
    Destination topic = Destination.topic("orders");
    return new Outgoing(
        sendId, topic, null, null, "a/b", "e-1", "order.placed", 0, List.of(headers));
  }

  private List<SpanData> ended() {
    return context.getBean(Traces.Spans.class).ended;
  }

  @Test
  void aSendIsASpanOfTheRowsTraceUntilItIsConfirmedAndItsContextTravels() {
    Header other = new Header("tenant", "acme");
    publisher.send(message(3, other, new Header("traceparent", RECORDED)));
    assertThat(ended()).isEmpty();
    assertThat(registry.getCurrentObservation()).isNull();
    wire.listener.onConfirmation(new Confirmation.Confirmed(3, 2, 15));

    assertThat(told.confirmed(3)).isTrue();
    SpanData span = ended().get(0);
    assertThat(span.getName()).isEqualTo("send orders");
    assertThat(span.getKind()).isEqualTo(SpanKind.PRODUCER);
    assertThat(span.getTraceId()).isEqualTo(TRACE);
    assertThat(span.getParentSpanId()).isEqualTo(PARENT);
    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    assertThat(span.getAttributes().asMap().toString())
        .contains("messaging.system.name=kafka", "messaging.operation.name=send")
        .contains("messaging.operation.type=send", "messaging.destination.name=orders")
        .contains("messaging.message.id=e-1", "waybill.event.type=order.placed")
        .contains("messaging.destination.partition.id=2", "kafka.offset=15")
        .contains("server.address=kafka.example.com", "server.port=9092")
        .doesNotContain("error.type");
    assertThat(wire.sent.get(0).headers())
        .containsExactly(
            other, new Header("traceparent", "00-" + TRACE + "-" + span.getSpanId() + "-01"));
  }

  @Test
  void tracestateGoesOnWithTheContextOfTheSend() {
    Header state = new Header("tracestate", "ot=th:8,vendor=v");
    publisher.send(message(3, new Header("traceparent", RECORDED), state));
    wire.listener.onConfirmation(new Confirmation.Confirmed(3));

    String current = "00-" + TRACE + "-" + ended().get(0).getSpanId() + "-01";
    assertThat(wire.sent.get(0).headers())
        .containsExactly(new Header("traceparent", current), state);
  }

  @Test
  void usersNameSendsThemselves() {
    PublishObservationConvention named =
        new DefaultPublishObservationConvention() {
          @Override
          public String getContextualName(PublishContext context) {
            return "relay " + context.message().eventId();
          }
        };
    Publisher renamed =
        new Observations(registry, traces, null, named, null, null)
            .around(wire, BrokerClient.of(Transport.KAFKA));
    renamed.start(told);
    renamed.send(message(3, new Header("traceparent", RECORDED)));
    wire.listener.onConfirmation(new Confirmation.Confirmed(3));

    assertThat(ended()).extracting(SpanData::getName).containsExactly("relay e-1");
  }

  @Test
  void aSendThatFailsHasTheReason() {
    publisher.send(message(1, new Header("traceparent", RECORDED)));
    publisher.send(message(2, new Header("traceparent", RECORDED)));
    wire.listener.onConfirmation(new Confirmation.Rejected(1, "record-too-large", "too large"));
    wire.listener.onConfirmation(new Confirmation.Unknown(2, "delivery-timeout", "no answer"));

    assertThat(ended())
        .extracting(span -> span.getStatus().getStatusCode())
        .containsOnly(StatusCode.ERROR);
    assertThat(ended())
        .extracting(span -> span.getStatus().getDescription())
        .containsExactly("record-too-large", "delivery-timeout");
    assertThat(ended())
        .extracting(span -> span.getAttributes().get(AttributeKey.stringKey("error.type")))
        .containsExactly("record-too-large", "delivery-timeout");
    assertThat(told.count()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "00-" + TRACE + "-" + PARENT + "-00",
        "00-" + TRACE + "-" + PARENT,
        "00-" + TRACE + "-" + PARENT + "-0z"
      })
  void aTraceThatIsNotRecordedIsNotObserved(String traceparent) {
    Outgoing message = message(1, new Header("traceparent", traceparent));
    publisher.send(message);
    wire.listener.onConfirmation(new Confirmation.Confirmed(1));

    assertThat(ended()).isEmpty();
    assertThat(wire.sent).singleElement().isSameAs(message);
    assertThat(told.confirmed(1)).isTrue();
  }

  @Test
  void aMessageWithoutATraceIsNotObserved() {
    Outgoing message = message(1, new Header("tenant", "acme"));
    publisher.send(message);

    assertThat(wire.sent).singleElement().isSameAs(message);
    assertThat(ended()).isEmpty();
  }

  @Test
  void withoutRegistryOrTracesItIsThePublisherItself() {
    assertThat(
            observations(ObservationRegistry.NOOP, traces)
                .around(wire, BrokerClient.of(Transport.KAFKA)))
        .isSameAs(wire);
    assertThat(
            observations(registry, CurrentTraceContext.NONE)
                .around(wire, BrokerClient.of(Transport.KAFKA)))
        .isSameAs(wire);
  }

  @Test
  void anObservationThatIsOffLeavesMessagesAsTheyAre() {
    registry
        .observationConfig()
        .observationPredicate((name, context) -> !name.startsWith("waybill"));
    Outgoing message = message(1, new Header("traceparent", RECORDED));
    publisher.send(message);

    assertThat(wire.sent).singleElement().isSameAs(message);
  }

  @ParameterizedTest
  @EnumSource
  void aHandlerThatFailsKeepsNoEventBack(When when) {
    registry.observationConfig().observationHandler(new Failing(when));
    publisher.send(message(1, new Header("traceparent", RECORDED)));
    wire.listener.onConfirmation(new Confirmation.Rejected(1, "record-too-large", "too large"));

    assertThat(wire.sent).hasSize(1);
    assertThat(told.count()).isEqualTo(1);
    assertThat(registry.getCurrentObservation()).isNull();
  }

  @Test
  void whatIsNoSendIsThePublishersOwn() {
    publisher.flush();
    publisher.close();
    wire.listener.unavailable("the broker is away");
    wire.listener.available();

    assertThat(wire.calls).containsExactly("flush", "close");
    assertThat(told.transport()).containsExactly("unavailable", "available");
    assertThat(publisher.maxInFlightPerKey()).isEqualTo(7);
    assertThat(publisher.deliveryTimeout()).isEqualTo(Duration.ofSeconds(7));
  }

  private enum When {
    START,
    SCOPE,
    ERROR,
    STOP
  }

  /** One of an application, with a class missing. */
  private record Failing(When when) implements ObservationHandler<Observation.Context> {
    private void fail(When at) {
      if (at == when) {
        throw new NoClassDefFoundError("org/example/Meters");
      }
    }

    @Override
    public void onStart(Observation.Context context) {
      fail(When.START);
    }

    @Override
    public void onScopeOpened(Observation.Context context) {
      fail(When.SCOPE);
    }

    @Override
    public void onError(Observation.Context context) {
      fail(When.ERROR);
    }

    @Override
    public void onStop(Observation.Context context) {
      fail(When.STOP);
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
      return true;
    }
  }
}
