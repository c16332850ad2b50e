package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.Preset;
import io.waybill.RelayBuilder;
import io.waybill.StartRefusedException;
import io.waybill.Waybill;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.TimeRange;
import io.waybill.encode.Format;
import io.waybill.kafka.KafkaBroker;
import io.waybill.layout.Layouts;
import io.waybill.route.Route;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What no relay could follow is refused by the call that starts it, before anything is asked. */
class RelayBuilderTest {
  private static final ConnectionFactory AWAY =
      () -> {
        throw new SQLException("the database is away", "08001");
      };

  private static Arguments wrong(String said, UnaryOperator<RelayBuilder> change) {
    return Arguments.of(said, change);
  }

  static Stream<Arguments> wrongDescriptions() {
    return Stream.of(
        wrong("needs a route", relay -> relay),
        wrong("source must be given", relay -> relay.preset(Preset.POLYSHOP)),
        wrong("source must be given", relay -> relay.route("t").format(Format.CLOUDEVENTS)),
        wrong(
            "routing key is for RabbitMQ",
            relay -> relay.route(Route.to("t").routingKey("k").build())),
        wrong(
            "no column for the time of publishing",
            relay -> relay.preset(Preset.WALLET).retention(Duration.ofDays(7))),
        wrong(
            "from 1 ms to 1 minute", relay -> relay.route("t").notifications(Duration.ofHours(1))),
        wrong(
            "time range is for adopted tables",
            relay -> relay.route("t").table(t -> t.timeRange(new TimeRange(Instant.EPOCH, null)))),
        wrong(
            "must be named waybill_outbox",
            relay ->
                relay
                    .route("t")
                    .layout(
                        Layouts.WAYBILL.table(new io.waybill.layout.TableName("public", "mine")))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("wrongDescriptions")
  void aWrongDescriptionIsRefusedByTheCallThatStarts(
      String said, UnaryOperator<RelayBuilder> change) {
    RelayBuilder relay =
        change.apply(Waybill.relay("wrong").outbox(AWAY).broker(KafkaBroker.at("127.0.0.1:9")));
    assertThatThrownBy(relay::start)
        .isNotInstanceOf(StartRefusedException.class)
        .isInstanceOfAny(IllegalArgumentException.class, IllegalStateException.class)
        .hasMessageContaining(said);
  }

  @Test
  void aPartThatIsMissingIsNamed() {
    assertThatThrownBy(() -> Waybill.relay("r").broker(KafkaBroker.at("127.0.0.1:9")).start())
        .hasMessage("A relay needs an outbox, and none was given");
    assertThatThrownBy(() -> Waybill.relay("r").outbox(AWAY).start())
        .hasMessage("A relay needs a broker, and none was given");
    assertThatThrownBy(() -> Waybill.inbox("i").database(AWAY).sources("s").start())
        .hasMessage("An inbox needs a broker, and none was given");
    assertThatThrownBy(
            () -> Waybill.inbox("i").database(AWAY).broker(KafkaBroker.at("127.0.0.1:9")).start())
        .hasMessage("An inbox needs a source, and none was given");
  }
}
