package io.waybill.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waybill.message.Event;
import io.waybill.message.EventKey;
import io.waybill.message.Header;
import io.waybill.message.Payload;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

class DomainEventsTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final DomainEvents events =
      new DomainEvents(value -> Payload.of(JSON.writeValueAsBytes(value), Payload.JSON));

  record Customer(String tenant, @Nullable String nickname) {}

  enum Channel {
    SHOP
  }

  @WaybillEvent(
      type = "order.placed",
      version = 3,
      aggregateType = "order",
      aggregateId = "id",
      correlationId = "request",
      headers = {"tenant=customer.tenant", "nick = customer.nickname", "channel=channel"})
  record OrderPlaced(long id, Customer customer, Channel channel, UUID request) {}

  @Test
  void theAnnotationSaysTypeKeyHeadersAndCorrelation() {
    UUID request = UUID.randomUUID();
    OrderPlaced placed = new OrderPlaced(42, new Customer("acme", null), Channel.SHOP, request);

    Event event = events.toEvent(placed);

    assertThat(event.type()).isEqualTo("order.placed");
    assertThat(event.version()).isEqualTo(3);
    assertThat(event.key()).isEqualTo(new EventKey("order", "42"));
    assertThat(event.correlationId()).isEqualTo(request.toString());
    assertThat(event.headers().list())
        .containsExactly(new Header("tenant", "acme"), new Header("channel", "SHOP"));
    assertThat(new String(event.payload().bytes(), StandardCharsets.UTF_8))
        .isEqualTo(JSON.writeValueAsString(placed));
  }

  @WaybillEvent
  record FeeChanged(int cents) {}

  @Test
  void withoutATypeItIsTheSimpleClassName() {
    Event event = events.toEvent(new FeeChanged(5));

    assertThat(event.type()).isEqualTo("FeeChanged");
    assertThat(event.version()).isEqualTo(1);
    assertThat(event.key()).isNull();
  }

  @WaybillEvent(aggregateType = "bean", aggregateId = "owner.name", headers = "at=at")
  public static class Bean {
    public final Instant at = Instant.EPOCH;

    public Owner getOwner() {
      return new Owner();
    }
  }

  public static class Owner {
    public String getName() {
      return "Ada";
    }

    public boolean isActive() {
      return true;
    }
  }

  @Test
  void gettersAndPublicFieldsAreProperties() {
    Event event = events.toEvent(new Bean());

    assertThat(event.key()).isEqualTo(new EventKey("bean", "Ada"));
    assertThat(event.headers().get("at")).isEqualTo("1970-01-01T00:00:00Z");
  }

  @WaybillEvent(aggregateType = "a", aggregateId = "id")
  record NullId(@Nullable String id) {}

  @WaybillEvent(aggregateType = "a", aggregateId = "owner")
  record NotPlain(Owner owner) {}

  @WaybillEvent(aggregateType = "a", aggregateId = "missing")
  record Missing(String id) {}

  @WaybillEvent(aggregateType = "a", aggregateId = "class.name")
  record NoIntrospection(String id) {}

  @WaybillEvent(aggregateType = "a", aggregateId = "T(System).exit(1)")
  record Expression(String id) {}

  @WaybillEvent(aggregateId = "id")
  record HalfAKey(String id) {}

  @WaybillEvent(headers = "tenant")
  record BadHeader(String id) {}

  record Unmarked(String id) {}

  @WaybillEvent
  record Unserialisable(Object self) {
    @Override
    public Object self() {
      throw new IllegalStateException("no");
    }
  }

  static Object[][] refused() {
    return new Object[][] {
      {new NullId(null), "property 'id' identifies the object, but is null"},
      {new NotPlain(new Owner()), "name one of its properties"},
      {new Missing("1"), "has no property 'missing'"},
      {new NoIntrospection("1"), "has no property 'class'"},
      {new Expression("1"), "must be property names with dots between them"},
      {new HalfAKey("1"), "aggregateType and aggregateId must be given together"},
      {new BadHeader("1"), "header 'tenant' must be a name, '=' and a property"},
      {new Unmarked("1"), "must have the annotation @WaybillEvent"},
      {new Unserialisable(1), "cannot be serialised"},
    };
  }

  @ParameterizedTest
  @MethodSource("refused")
  void whatBreaksARuleIsRefusedWithTheClassAndTheRule(Object event, String rule) {
    assertThatExceptionOfType(DomainEventException.class)
        .isThrownBy(() -> events.toEvent(event))
        .withMessageContaining(event.getClass().getName())
        .withMessageContaining(rule);
  }
}
