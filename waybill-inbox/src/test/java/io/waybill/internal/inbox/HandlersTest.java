package io.waybill.internal.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.waybill.handler.Registration;
import io.waybill.handler.UnknownTypes;
import io.waybill.internal.encode.Decoded;
import io.waybill.internal.encode.Decoder;
import io.waybill.internal.inbox.attempt.Plan;
import io.waybill.message.Headers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HandlersTest {
  private static final Registration ANY = registration(Registration.ANY_VERSION);
  private static final Registration SECOND = registration(2);

  private static Registration registration(int version) {
    return new Registration("placed", version, 1, (events, connection) -> {});
  }

  private static Decoded event(String type, int version) {
    return new Decoder()
        .decode(
            "orders",
            null,
            null,
            Headers.of(
                Map.of(
                    "waybill-event-id",
                    "e",
                    "waybill-event-type",
                    type,
                    "waybill-event-version",
                    Integer.toString(version))),
            0);
  }

  @Test
  void theVersionsOwnHandlerComesFirst() {
    Handlers handlers = new Handlers(List.of(ANY, SECOND), UnknownTypes.FAIL);

    assertThat(handlers.plan(event("placed", 2))).isEqualTo(new Plan.Handle(SECOND));
    assertThat(handlers.plan(event("placed", 3))).isEqualTo(new Plan.Handle(ANY));
  }

  @ParameterizedTest
  @EnumSource(UnknownTypes.class)
  void anUnknownTypeOrVersionIsAPolicy(UnknownTypes policy) {
    Handlers handlers = new Handlers(List.of(SECOND), policy);
    Class<? extends Plan> expected =
        switch (policy) {
          case IGNORE -> Plan.Ignore.class;
          case DEAD_LETTER -> Plan.Bury.class;
          case FAIL -> Plan.Halt.class;
        };

    assertThat(handlers.plan(event("paid", 2))).isInstanceOf(expected);
    assertThat(handlers.plan(event("placed", 1))).isInstanceOf(expected);
  }

  @Test
  void whatIsNoEventIsDeadLettered() {
    Handlers handlers = new Handlers(List.of(ANY), UnknownTypes.IGNORE);

    assertThat(handlers.plan(new Decoded.Undecodable("no-event-id", "none")))
        .isEqualTo(new Plan.Bury("no-event-id", "none"));
  }

  @Test
  void twoHandlersOfOneTypeAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Handlers(List.of(SECOND, registration(2)), UnknownTypes.DEAD_LETTER))
        .withMessage("Type \"placed\" version 2 must have one handler, but has two");
  }
}
