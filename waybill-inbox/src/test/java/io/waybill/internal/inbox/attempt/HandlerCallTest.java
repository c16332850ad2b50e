package io.waybill.internal.inbox.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Delivery;
import io.waybill.handler.ErrorClassifier;
import io.waybill.handler.Interceptor;
import io.waybill.handler.Registration;
import io.waybill.internal.encode.Decoded;
import io.waybill.internal.encode.Decoder;
import io.waybill.message.Headers;
import io.waybill.message.ReceivedEvent;
import io.waybill.store.DedupeKey;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.MDC;

/** What the logging context and the log say of events. */
class HandlerCallTest {
  private final List<String> seen = new ArrayList<>();
  private final Plan plan =
      new Plan.Handle(
          new Registration(
              "placed",
              1,
              20,
              (events, connection) ->
                  seen.add(
                      MDC.get("eventId") + " " + MDC.get("traceId") + " " + MDC.get("eventType"))));

  @Test
  void theTraceOfAnEnvelopeIsThatOfItsMetadata() {
    Task task = envelope("e1", "\"abc\"");

    assertThat(traceId(task)).isEqualTo("abc");
    call(List.of(task));
    assertThat(seen).containsExactly("e1 abc placed");
    assertThat(MDC.get("eventId")).isNull();
    assertThat(MDC.get("traceId")).isNull();
  }

  @Test
  void whatTheApplicationHadInTheLoggingContextComesBack() {
    MDC.put("traceId", "its own");
    try {
      call(List.of(envelope("e1", "\"abc\"")));

      assertThat(seen).containsExactly("e1 abc placed");
      assertThat(MDC.getCopyOfContextMap()).isEqualTo(Map.of("traceId", "its own"));
    } finally {
      MDC.clear();
    }
  }

  @Test
  void theEventsOfABatchAndTheirTracesAreNamed() {
    call(List.of(envelope("e1", "\"t\""), envelope("e2", "\"t\""), envelope("e3", "\"u\"")));

    assertThat(seen).containsExactly("e1,e2,e3 t,u placed");
  }

  @Test
  void ofALongBatchTheFirstTenAreNamed() {
    call(IntStream.range(0, 12).mapToObj(i -> envelope("e" + i, "\"t\"")).toList());

    assertThat(seen).containsExactly("e0,e1,e2,e3,e4,e5,e6,e7,e8,e9,+2 t placed");
  }

  @ParameterizedTest
  @CsvSource({"'a\\nb', 1", "x, 129"})
  void aTraceThatCouldForgeLinesOrFillThemIsNotNamed(String part, int times) {
    assertThat(traceId(envelope("e1", '"' + part.repeat(times) + '"'))).isNull();
  }

  @Test
  void aTraceparentThatIsNoneGivesWayToTheTraceIdOfTheMetadata() {
    String forged = "\"t\", \"traceparent\": \"00-\\nERROR a line that nobody has logged, forged\"";

    assertThat(traceId(envelope("e1", forged))).isEqualTo("t");
    assertThat(traceId(envelope("e1", "\"\""))).isNull();
  }

  private Task envelope(String id, String trace) {
    String body =
        """
        {"eventId": "%s", "eventType": "placed", "data": {}, "metadata": {"traceId": %s}}
        """
            .formatted(id, trace);
    Delivery delivery =
        new Delivery(
            "orders",
            "orders",
            0,
            null,
            body.getBytes(StandardCharsets.UTF_8),
            Headers.of(Map.of()),
            0,
            false,
            0,
            "token");
    ReceivedEvent event = ((Decoded.Event) new Decoder().decode(delivery)).event();
    DedupeKey dedupeKey =
        new DedupeKey(event.id(), event.type(), delivery.source(), delivery.key());
    return new Task(dedupeKey, event, plan, delivery, null);
  }

  private static @Nullable String traceId(Task task) {
    return Objects.requireNonNull(task.event()).traceId();
  }

  private void call(List<Task> tasks) {
    @Nullable Failure failure =
        new HandlerCall(Interceptor.NONE, ErrorClassifier.ofDefaults(), sql -> "")
            .call(tasks, connection(), () -> {});
    assertThat(failure).isNull();
  }

  private static Connection connection() {
    return (Connection)
        Proxy.newProxyInstance(
            HandlerCallTest.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, args) -> null);
  }
}
