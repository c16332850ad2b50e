package io.waybill.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every value of the bad-input catalogue about events and headers: refused, or let through. */
class EventLimitsTest {
  private static final EventLimits LIMITS = EventLimits.ofDefaults();
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  private static Event.Builder event() {
    return Event.builder("order.placed", "order", "42").json("{}");
  }

  private static Event.Builder keyed(String aggregateType, String aggregateId) {
    return Event.builder("order.placed", aggregateType, aggregateId).json("{}");
  }

  private static Event.Builder typed(String type) {
    return Event.builder(type, "order", "42").json("{}");
  }

  private static Event.Builder sized(int bytes) {
    return event().payload(Payload.of(new byte[bytes], Payload.BYTES));
  }

  private static Event.Builder described(String contentType) {
    return event().payload(Payload.of(new byte[0], contentType));
  }

  private static Event.Builder withHeaders(int count) {
    Event.Builder event = event();
    IntStream.range(0, count).forEach(i -> event.header("h" + i, ""));
    return event;
  }

  static Stream<Arguments> refused() {
    return Stream.of(
            ids(), names(), traces(), times(), payloads(), headerNames(), headerValues(), counts())
        .flatMap(each -> each);
  }

  private static Stream<Arguments> ids() {
    return Stream.of(
            "",
            " ",
            "e-1 ",
            "é-1",
            "\u0000",
            "a\u0000b",
            "😀",
            "x".repeat(129),
            "x".repeat(10_240),
            "1'; drop table waybill_outbox; --",
            "a/b",
            "a\r\nb",
            "<script>")
        .map(id -> arguments(event().id(id), "id", "must be 1 to 128 of"));
  }

  private static Stream<Arguments> names() {
    String long256 = "x".repeat(256);
    String longBytes = "é".repeat(128);
    return Stream.of(
        arguments(typed(""), "type", "must not be empty"),
        arguments(typed(long256), "type", "must be at most 255 bytes"),
        arguments(typed(longBytes), "type", "must be at most 255 bytes"),
        arguments(typed("a\nb"), "type", "control characters"),
        arguments(typed("a\u0000"), "type", "control characters"),
        arguments(typed("a\u001b[31m"), "type", "control characters"),
        arguments(typed("\ud800"), "type", "lone surrogates"),
        arguments(keyed("", "1"), "aggregateType", "must not be empty"),
        arguments(keyed("a\u0085", "1"), "aggregateType", "control characters"),
        arguments(keyed("order", ""), "aggregateId", "must not be empty"),
        arguments(keyed("order", "k".repeat(1 << 20)), "aggregateId", "must be at most 255 bytes"),
        arguments(keyed("order", "1\u0000"), "aggregateId", "control characters"),
        arguments(keyed("order", "x\udc00"), "aggregateId", "lone surrogates"),
        arguments(event().correlationId(""), "correlationId", "must not be empty"),
        arguments(event().correlationId("a\r\nb"), "correlationId", "control characters"),
        arguments(event().causationId(long256), "causationId", "must be at most 255 bytes"),
        arguments(event().version(0), "version", "must be at least 1"),
        arguments(event().version(-1), "version", "must be at least 1"));
  }

  private static Stream<Arguments> traces() {
    return Stream.of(
            "",
            "x",
            TRACE.toUpperCase(java.util.Locale.ROOT),
            TRACE + "-more",
            "ff" + TRACE.substring(2),
            TRACE.replace("4bf92f3577b34da6a3ce929d0e0e4736", "0".repeat(32)),
            TRACE.replace("00f067aa0ba902b7", "0".repeat(16)),
            TRACE + "\n",
            "01" + TRACE.substring(2) + "-" + "x".repeat(250))
        .map(trace -> arguments(event().traceparent(trace), "traceparent", "W3C Trace Context"));
  }

  private static Stream<Arguments> times() {
    return Stream.of(
            Instant.MIN,
            Instant.MAX,
            Instant.parse("0000-12-31T23:59:59Z"),
            Instant.parse("9999-12-31T23:59:59.999999Z").plusNanos(1))
        .map(time -> arguments(event().availableAt(time), "availableAt", "in the years 1 to 9999"));
  }

  private static Stream<Arguments> payloads() {
    return Stream.of(
        arguments(sized(1_000_001), "payload", "must be at most 1000000 bytes"),
        arguments(sized(1 << 20), "payload", "must be at most 1000000 bytes"),
        arguments(described(""), "contentType", "media type"),
        arguments(described("json"), "contentType", "media type"),
        arguments(described("a/b\r\nx: y"), "contentType", "media type"),
        arguments(described("a/" + "b".repeat(254)), "contentType", "media type"));
  }

  private static Stream<Arguments> headerNames() {
    Stream<String> reserved =
        Stream.of(
            "x-death",
            "X-Death",
            "x-first-death-queue",
            "spring_json_header_types",
            "__TypeId__",
            "__KeyTypeId__",
            "kafka_dlt-exception-fqcn",
            "CC",
            "BCC",
            "waybill-event-id",
            "Waybill-Replay",
            "ce_id",
            "cloudEvents:id",
            "content-type",
            "traceparent");
    Stream<String> malformed =
        Stream.of("", " ", "a b", "näme", "a\r\nb", "a\u0000", "😀", "x".repeat(129), "\ud800");
    return Stream.concat(
        reserved.map(name -> arguments(event().header(name, "v"), "header name", "interpret")),
        malformed.map(
            name -> arguments(event().header(name, "v"), "header name", "must be 1 to 128 of")));
  }

  private static Stream<Arguments> headerValues() {
    String field = "header \"h\"";
    return Stream.of(
        arguments(event().header("h", "a\r\nSet-Cookie: x"), field, "control characters"),
        arguments(event().header("h", "a\u0000"), field, "control characters"),
        arguments(event().header("h", "\u001b]0;x\u0007"), field, "control characters"),
        arguments(event().header("h", "\ud800"), field, "lone surrogates"),
        arguments(event().header("h", "x".repeat(8_193)), field, "must be at most 8192 bytes"),
        arguments(event().header("h", "é".repeat(4_097)), field, "must be at most 8192 bytes"),
        arguments(event().header("h", "x".repeat(200_000)), "headers", "32768 bytes in all"));
  }

  private static Stream<Arguments> counts() {
    Event.Builder large = event();
    IntStream.range(0, 5).forEach(i -> large.header("h" + i, "x".repeat(8_000)));
    return Stream.of(
        arguments(withHeaders(101), "headers", "must be at most 100"),
        arguments(withHeaders(1_000), "headers", "must be at most 100"),
        arguments(large, "headers", "must be at most 32768 bytes in all"),
        arguments(event().header("a", "1").header("a", "2"), "header name", "must not repeat"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void refusesAndNamesFieldRuleAndValue(Event.Builder event, String field, String rule) {
    assertThatExceptionOfType(InvalidEventException.class)
        .isThrownBy(() -> LIMITS.check(event.build()))
        .satisfies(
            e -> {
              assertThat(e.violations())
                  .anySatisfy(
                      violation -> {
                        assertThat(violation.field()).isEqualTo(field);
                        assertThat(violation.rule()).contains(rule);
                      });
              assertThat(e.getMessage()).matches("[^\\p{Cntrl}]+").contains(field, rule, ", is ");
              assertThat(e.getMessage()).hasSizeLessThan(1_000);
            });
  }

  static Stream<Event.Builder> accepted() {
    String all = "AZaz09._:-";
    return Stream.of(
        event().id("x".repeat(128)),
        event().id(all),
        event().id("not-a-uuid"),
        event().version(Integer.MAX_VALUE),
        typed("x".repeat(255)),
        typed("=cmd|' /C calc'!A0"),
        keyed("<script>alert(1)</script>", "😀é"),
        keyed("order", "' or 1=1 --"),
        Event.builder("unordered").json("1"),
        event().traceparent(TRACE),
        event().traceparent("01" + TRACE.substring(2) + "-future"),
        event().availableAt(Instant.EPOCH),
        event().availableAt(Instant.parse("0001-01-01T00:00:00Z")),
        event().availableAt(Instant.parse("9999-12-31T23:59:59.999999Z")),
        event().availableAt(Instant.parse("2016-12-31T23:59:59.999999999Z")),
        sized(0),
        sized(1),
        sized(999_999),
        sized(1_000_000),
        event().payload(Payload.tombstone()),
        described("application/vnd.acme+json; charset=utf-8"),
        withHeaders(100),
        event().header("tenant", "").header("Tenant", "grüße 😀"),
        event().header("h", "x".repeat(8_192)));
  }

  @ParameterizedTest
  @MethodSource("accepted")
  void letsThroughWhatBrokersTake(Event.Builder event) {
    assertThat(LIMITS.violations(event.build())).isEmpty();
  }

  @Test
  void reportsAllViolationsOfAnEventAtOnce() {
    Event event =
        Event.builder("", "order", "").id("!").version(0).payload(Payload.json("")).build();

    assertThat(LIMITS.violations(event))
        .extracting(Violation::field)
        .containsExactly("id", "type", "aggregateId", "version");
  }

  @Test
  void limitsAreConfigurable() {
    EventLimits tight =
        EventLimits.builder()
            .maxPayloadBytes(1)
            .maxHeaders(1)
            .maxHeaderValueBytes(1)
            .maxHeadersBytes(2)
            .build();

    assertThat(tight.violations(sized(1).header("a", "b").build())).isEmpty();
    assertThat(tight.violations(sized(2).header("a", "bc").build()))
        .extracting(Violation::field)
        .containsExactly("payload", "header \"a\"", "headers");
    assertThat(tight.violations(sized(0).header("a", "").header("b", "").build()))
        .extracting(Violation::rule)
        .containsExactly("must be at most 1");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, Integer.MIN_VALUE, Integer.MAX_VALUE})
  void refusesSenselessLimits(int value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EventLimits.builder().maxPayloadBytes(value).build())
        .withMessageContaining("maxPayloadBytes must be from 0 to")
        .withMessageContaining("is " + value);
  }

  @Test
  void checksJsonOnlyIfAsked() {
    Event bad = event().payload(Payload.json("{NaN")).build();
    Event bytes = event().payload(Payload.of("{".getBytes(StandardCharsets.UTF_8), "x/y")).build();
    EventLimits checked = EventLimits.builder().jsonChecked(true).build();

    assertThat(LIMITS.violations(bad)).isEmpty();
    assertThat(checked.violations(bad))
        .extracting(Violation::rule)
        .containsExactly("must be well-formed JSON");
    assertThat(checked.violations(bytes)).isEmpty();
  }

  @Test
  @SuppressWarnings("NullAway") // what callers in other languages and unchecked code do
  void nullsAreRefusedAtOnceWithTheirNames() {
    Map<String, ThrowingCallable> nulls =
        Map.of(
            "type", () -> Event.builder(null, "order", "1"),
            "aggregateType", () -> Event.builder("t", null, "1"),
            "aggregateId", () -> Event.builder("t", "order", null),
            "bytes", () -> Payload.of(null, "a/b"),
            "contentType", () -> Payload.of(new byte[0], null),
            "header name", () -> event().header(null, "v"),
            "header value", () -> event().header("h", null));
    nulls.forEach(
        (name, call) ->
            assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(name));
  }

  @Test
  void aPayloadHasToBeChosen() {
    assertThatIllegalStateException()
        .isThrownBy(() -> Event.builder("order.placed", "order", "1").build())
        .withMessageContaining("order.placed")
        .withMessageContaining("tombstone");
  }
}
