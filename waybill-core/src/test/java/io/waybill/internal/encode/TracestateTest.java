package io.waybill.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.Rows;
import io.waybill.broker.Outgoing;
import io.waybill.encode.Format;
import io.waybill.message.Destination;
import io.waybill.message.Event;
import io.waybill.message.Headers;
import io.waybill.message.ReceivedEvent;
import io.waybill.message.Transport;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a consumer reads of the trace context that came with a message. */
class TracestateTest {
  private static final String STATE = "a=1,b=2";

  private static ReceivedEvent decoded(
      Headers headers, byte @Nullable [] key, byte @Nullable [] body) {
    return ((Decoded.Event) new Decoder().decode("orders", key, body, headers, 0)).event();
  }

  private static ReceivedEvent event(Map<String, String> headers, String body) {
    return decoded(Headers.of(headers), null, body.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void isReadOfEveryFormat(Transport transport) {
    for (Format format : Format.values()) {
      Encoder encoder =
          Encoder.builder(transport).byDefault(format).source("order-service").build();
      Headers headers = Headers.of(Map.of("tracestate", STATE));
      Destination orders = Destination.topic("orders");
      Outgoing out =
          ((Mapped.Message) encoder.encode(Rows.placed().row(), headers, orders, 1)).message();
      ReceivedEvent event = decoded(new Headers(out.headers()), out.key(), out.body());

      assertThat(event.tracestate()).as("%s", format).isEqualTo(STATE);
      assertThat(event.causes(Event.builder("paid").json("{}")).build().tracestate())
          .isEqualTo(STATE);
    }
  }

  @Test
  void goesWithTheTraceparentBesideIt() {
    String structured =
        """
        {"specversion": "1.0", "id": "e", "type": "t", "source": "s", "data": 1,
         "traceparent": "%s", "tracestate": "a=1"}"""
            .formatted(Rows.TRACE);
    String younger = Rows.TRACE.replace("00f067aa0ba902b7", "00f067aa0ba902b8");

    assertThat(event(Map.of(), structured).tracestate()).isEqualTo("a=1");
    assertThat(event(Map.of("traceparent", younger), structured).tracestate()).isNull();
    assertThat(event(Map.of("traceparent", younger, "tracestate", "b=2"), structured).tracestate())
        .isEqualTo("b=2");
    assertThat(event(Map.of("traceparent", Rows.TRACE, "tracestate", "B"), structured).tracestate())
        .isNull();
    assertThat(event(Map.of("tracestate", "b=2"), structured).tracestate()).isEqualTo("a=1");
  }
}
