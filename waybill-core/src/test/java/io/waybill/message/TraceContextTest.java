package io.waybill.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** W3C Trace Context, level 2, section 3.3. */
class TraceContextTest {
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  private static Event event(@Nullable String traceparent, @Nullable String tracestate) {
    return Event.builder("paid")
        .json("{}")
        .header("tenant", "acme")
        .traceparent(traceparent)
        .tracestate(tracestate)
        .build();
  }

  private static String members(int count) {
    return IntStream.range(0, count).mapToObj(i -> "v" + i + "=x").collect(Collectors.joining(","));
  }

  static Stream<String> valid() {
    return Stream.of(
        "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE",
        "fw529a3039@dt=FfffffffB;FDs~|,0a=1",
        "a=1 , b=2\t,,c=3",
        "a_-*/@9= !\"#$%&'()*+-./:;<>?@[\\]^_`{|}~",
        members(32),
        "ot=" + "x".repeat(256) + ",vendor=" + "y".repeat(247));
  }

  @ParameterizedTest
  @MethodSource("valid")
  void aTracestateGoesOnAsItIs(String state) {
    Event event = event(TRACE, state);

    assertThat(event.tracestate()).isEqualTo(state);
    assertThat(EventLimits.ofDefaults().violations(event)).isEmpty();
    assertThat(new TraceContext(TRACE, state).tracestate()).isEqualTo(state);
  }

  static Stream<String> invalid() {
    return Stream.of(
        "",
        ",",
        "a",
        "a=",
        "=1",
        "A=1",
        "_a=1",
        "a b=1",
        "a=1=2",
        "a=é",
        "a=\u0001",
        "a=1\r\nb: c",
        "a=1,a=2",
        "a=1;b=2,c",
        "a=" + "x".repeat(257),
        "a".repeat(257) + "=1",
        members(33),
        members(31) + ",x=" + "y".repeat(5_000));
  }

  @ParameterizedTest
  @MethodSource("invalid")
  void whatIsNoneIsDroppedWhole(String state) {
    Event event = event(TRACE, state);

    assertThat(event.tracestate()).isNull();
    assertThat(event.traceparent()).isEqualTo(TRACE);
    assertThat(event.headers().list()).containsExactly(new Header("tenant", "acme"));
    assertThat(new TraceContext(TRACE, state).tracestate()).isNull();
  }

  @Test
  void fiveHundredAndTwelveCharactersAreCarriedWhateverTheLimitsOfHeaders() {
    String state = "ot=" + "x".repeat(256) + ",vendor=" + "y".repeat(245);
    Event event = event(TRACE, state);

    assertThat(state).hasSizeGreaterThanOrEqualTo(512);
    assertThat(event.tracestate()).isEqualTo(state);
    EventLimits narrow = EventLimits.builder().maxHeaderValueBytes(10).maxHeadersBytes(20).build();
    assertThat(narrow.violations(event)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01"})
  void withoutAValidTraceparentThereIsNone(String traceparent) {
    assertThat(event(null, "a=1").tracestate()).isNull();
    assertThat(event(traceparent, "a=1").tracestate()).isNull();
    assertThat(TraceContext.of(null, "a=1")).isNull();
  }

  @Test
  void theHeaderOfThatNameIsTheSame() {
    Event event =
        Event.builder("paid").json("{}").header("tracestate", "a=1").traceparent(TRACE).build();

    assertThat(event.tracestate()).isEqualTo("a=1");
    assertThat(event.withTraceContext(new TraceContext(TRACE, "b=2")).headers())
        .isEqualTo(new Headers(List.of(new Header("tracestate", "b=2"))));
    assertThat(event.withTraceContext(null).headers()).isEqualTo(Headers.NONE);
    assertThat(event.withTraceContext(null).traceparent()).isNull();
  }

  @Test
  void headersWithoutItAreTheSameObject() {
    Headers headers = new Headers(List.of(new Header("tenant", "acme")));

    assertThat(TraceContext.kept(null, headers)).isSameAs(headers);
    assertThat(TraceContext.kept(TRACE, Headers.NONE)).isSameAs(Headers.NONE);
  }

  @Test
  void configurationSetsNone() {
    assertThat(EventLimits.violations(new Header("tracestate", "a=1"))).isNotEmpty();
  }
}
