package io.waybill.internal.relay.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.Rows;
import io.waybill.broker.Outgoing;
import io.waybill.encode.Format;
import io.waybill.internal.encode.Encoder;
import io.waybill.internal.encode.Mapped;
import io.waybill.internal.route.Routes;
import io.waybill.message.Destination;
import io.waybill.message.EventLimits;
import io.waybill.message.Header;
import io.waybill.message.Transport;
import io.waybill.route.Route;
import io.waybill.store.OutboxRow;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RoutedMapperTest {
  private static final RoutedMapper MAPPER = mapper(Route.to("{eventType}"));

  private static RoutedMapper mapper(Route.Builder route) {
    return new RoutedMapper(
        Routes.builder(Transport.KAFKA).byDefault(route.build()).build(),
        Encoder.builder(Transport.KAFKA).forType("json.only", Format.GENERIC).build(),
        EventLimits.ofDefaults());
  }

  private static Outgoing message(Mapped mapped) {
    return ((Mapped.Message) mapped).message();
  }

  private static Mapped.Unmappable refused(Rows rows) {
    return (Mapped.Unmappable) MAPPER.map(rows.row(), 1);
  }

  @Test
  void routesAndEncodes() {
    Outgoing outgoing = message(MAPPER.map(Rows.placed().row(), 5));

    assertThat(outgoing.sendId()).isEqualTo(5);
    assertThat(outgoing.destination()).isEqualTo(Destination.topic("order.placed"));
    assertThat(outgoing.body()).isEqualTo(Rows.placed().row().payload());
  }

  @Test
  void theRowsHeadersTravelAndTheRoutesReplaceThem() {
    RoutedMapper mapper = mapper(Route.to("t").header("tenant", "{header.tenant|upper}"));
    Rows rows = Rows.placed().headers("{\"n\": 1.10, \"tenant\": \"acme\", \"b\": true}");

    assertThat(message(mapper.map(rows.row(), 1)).headers())
        .endsWith(new Header("n", "1.10"), new Header("b", "true"), new Header("tenant", "ACME"))
        .doesNotContain(new Header("tenant", "acme"));
  }

  @Test
  void aTracestateThatIsNoneIsLeftOutAndParksNothing() {
    Header good = new Header("tracestate", "a=1");
    Header tenant = new Header("tenant", "acme");
    String rest = "\", \"tenant\": \"acme\"}";
    Rows traced = Rows.placed();

    assertThat(headers(traced.headers("{\"tracestate\": \"a=1" + rest))).contains(good, tenant);
    assertThat(headers(traced.headers("{\"tracestate\": \"a=" + "x".repeat(9_000) + rest)))
        .contains(tenant)
        .noneMatch(header -> header.name().equals("tracestate"));
    assertThat(headers(traced.bare().headers("{\"tracestate\": \"a=1" + rest)))
        .contains(tenant)
        .noneMatch(header -> header.name().equals("tracestate"));
  }

  private static List<Header> headers(Rows rows) {
    return message(MAPPER.map(rows.row(), 1)).headers();
  }

  @Test
  void aRowWithoutAVersionIsRefusedAndNamed() {
    Mapped.Unmappable refused = refused(Rows.placed().version(OutboxRow.NO_VERSION));

    assertThat(refused.reason()).isEqualTo("bad-row");
  }

  @Test
  void aRowWithoutATypeIsRefusedAndNamed() {
    Mapped.Unmappable refused = refused(Rows.placed().type(""));

    assertThat(refused.reason()).isEqualTo("bad-row");
    assertThat(refused.detail())
        .isEqualTo(
            "Row "
                + Rows.placed().row().rowId()
                + ": event id and event type must be given, one of them is not");
  }

  @Test
  void aRowThatIsTooLargeIsRefusedWithItsSize() {
    Mapped mapped = MAPPER.map(Rows.unread(Rows.placed().row(), 209_715_200), 1);
    Mapped.Unmappable refused = (Mapped.Unmappable) mapped;

    assertThat(refused.reason()).isEqualTo("too-large");
    assertThat(refused.detail()).contains("209715200 bytes");
  }

  static Stream<String> badHeaders() {
    String many =
        IntStream.range(0, 1_000)
            .mapToObj(i -> "\"h" + i + "\":\"\"")
            .collect(Collectors.joining(",", "{", "}"));
    return Stream.of(
        "[]",
        "{",
        "{\"a\":null}",
        "{\"a\":{\"b\":1}}",
        "{\"a\":\"\\u0000\"}",
        "{\"a\":\"\\ud800\"}",
        "{\"a\":\"x\\r\\ny\"}",
        "{\"a\":1,\"a\":2}",
        "{\"\":\"\"}",
        "{\"näme\":\"\"}",
        "{\"x-death\":\"\"}",
        "{\"__TypeId__\":\"java.lang.Runtime\"}",
        "{\"spring_json_header_types\":\"{}\"}",
        "{\"waybill-event-id\":\"forged\"}",
        "{\"a\":\"" + "x".repeat(200_000) + "\"}",
        many);
  }

  @ParameterizedTest
  @MethodSource
  void badHeaders(String json) {
    Mapped.Unmappable refused = refused(Rows.placed().headers(json));

    assertThat(refused.reason()).isEqualTo("bad-headers");
    assertThat(refused.detail())
        .startsWith("Event \"e-1\": ")
        .contains("must")
        .matches("[^\\p{Cntrl}]+")
        .hasSizeLessThan(1_000);
  }

  @Test
  void manyViolationsAreCounted() {
    String json =
        IntStream.range(0, 50)
            .mapToObj(i -> "\"waybill-" + i + "\":\"\"")
            .collect(Collectors.joining(",", "{", "}"));

    assertThat(refused(Rows.placed().headers(json)).detail()).endsWith("; and 47 more");
  }

  @ParameterizedTest
  @CsvSource({"a/b, bad-destination", "json.only, bad-payload"})
  void badRowsBecomeValues(String type, String reason) {
    Rows rows = Rows.placed().payload(new byte[] {1}, "a/b").type(type);

    assertThat(refused(rows).reason()).isEqualTo(reason);
    assertThat(refused(rows).detail()).contains("\"e-1\"");
  }
}
