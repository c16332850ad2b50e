package io.waybill.spring.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.handler.PermanentException;
import io.waybill.handler.Registration;
import io.waybill.message.Headers;
import io.waybill.message.Payload;
import io.waybill.message.ReceivedEvent;
import io.waybill.spring.PayloadMapper;
import io.waybill.spring.WaybillEvent;
import io.waybill.spring.WaybillHandler;
import io.waybill.spring.WaybillStartException;
import jakarta.transaction.Transactional.TxType;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.json.JsonMapper;

/** Which methods handle what, and what they are called with. */
class HandlerScanTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final PayloadMapper MAPPER =
      (payload, type) ->
          JSON.readValue(Objects.requireNonNull(payload.bytes()), JSON.constructType(type));
  private static final List<Object> CALLS = new ArrayList<>();
  private static final Connection CONNECTION =
      (Connection)
          Proxy.newProxyInstance(
              HandlerScanTest.class.getClassLoader(),
              new Class<?>[] {Connection.class},
              (proxy, method, arguments) -> "connection");

  record Order(String id) {}

  @WaybillEvent(type = "order.cancelled")
  record OrderCancelled(String id) {}

  static class Handlers {
    @WaybillHandler("placed")
    void payload(Order order) {
      CALLS.add(order);
    }

    @WaybillHandler(value = "placed", version = 2)
    void all(Connection connection, ReceivedEvent event, Map<String, Object> payload) {
      CALLS.addAll(List.of(event.id(), payload, connection.toString()));
    }

    @WaybillHandler({"paid", "shipped"})
    void event(ReceivedEvent event) {
      CALLS.add(event.type());
    }

    @WaybillHandler(value = "counted", batch = 7)
    void batch(List<Order> orders, List<ReceivedEvent> events) {
      CALLS.addAll(List.of(orders, events.size()));
    }

    @WaybillHandler
    void annotated(OrderCancelled event) {
      CALLS.add(event);
    }

    @WaybillHandler("raw")
    void raw(Payload payload) {
      CALLS.add(payload.contentType());
    }

    @WaybillHandler("failing")
    void failing(ReceivedEvent event) throws IOException {
      throw new IOException("no disk");
    }

    @WaybillHandler("nullable")
    void nullable(Order order) {
      CALLS.add("order " + order);
    }
  }

  private static List<Registration> find(Object... beans) {
    DefaultListableBeanFactory factory = new DefaultListableBeanFactory();
    for (int i = 0; i < beans.length; i++) {
      factory.registerSingleton("bean" + i, beans[i]);
    }
    CALLS.clear();
    return HandlerScan.find(factory, MAPPER, null);
  }

  private static ReceivedEvent event(String id, String type, Payload payload) {
    return new ReceivedEvent(
        id,
        type,
        1,
        null,
        "orders",
        null,
        null,
        payload,
        Headers.NONE,
        null,
        null,
        null,
        null,
        Map.of(),
        0,
        null);
  }

  private static void call(List<Registration> found, String type, int version, String... payloads)
      throws Exception {
    List<ReceivedEvent> events =
        Arrays.stream(payloads)
            .map(text -> Payload.of(text.getBytes(StandardCharsets.UTF_8), Payload.JSON))
            .map(payload -> event("e1", type, payload))
            .toList();
    registration(found, type, version).handler().handle(events, CONNECTION);
  }

  private static Registration registration(List<Registration> found, String type, int version) {
    return found.stream()
        .filter(each -> each.type().equals(type) && each.version() == version)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void handlersTakeEventPayloadAndConnection() throws Exception {
    List<Registration> found = find(new Handlers());

    call(found, "placed", -1, "{\"id\":\"1\"}");
    assertThat(CALLS).containsExactly(new Order("1"));
    CALLS.clear();
    call(found, "placed", 2, "{\"id\":\"2\"}");
    assertThat(CALLS).containsExactly("e1", Map.of("id", "2"), "connection");
    CALLS.clear();
    call(found, "raw", -1, "{}");
    assertThat(CALLS).containsExactly(Payload.JSON);
  }

  @Test
  void aHandlerMayHaveSeveralTypes() throws Exception {
    List<Registration> found = find(new Handlers());

    call(found, "paid", -1, "{}");
    call(found, "shipped", -1, "{}");
    assertThat(CALLS).containsExactly("paid", "shipped");
  }

  @Test
  void listsAreBatches() throws Exception {
    List<Registration> found = find(new Handlers());

    assertThat(registration(found, "counted", -1).batch()).isEqualTo(7);
    assertThat(registration(found, "paid", -1).batch()).isEqualTo(1);
    call(found, "counted", -1, "{\"id\":\"1\"}", "{\"id\":\"2\"}");
    assertThat(CALLS).containsExactly(List.of(new Order("1"), new Order("2")), 2);
  }

  @Test
  void aClassWithWaybillEventSaysTheType() throws Exception {
    List<Registration> found = find(new Handlers());

    call(found, "order.cancelled", -1, "{\"id\":\"1\"}");
    assertThat(CALLS).containsExactly(new OrderCancelled("1"));
  }

  @Test
  void aTombstoneIsNull() throws Exception {
    List<Registration> found = find(new Handlers());
    registration(found, "nullable", -1)
        .handler()
        .handle(List.of(event("e1", "nullable", Payload.tombstone())), CONNECTION);
    assertThat(CALLS).containsExactly("order null");
  }

  @Test
  void whatAHandlerThrowsReachesTheInbox() {
    List<Registration> found = find(new Handlers());

    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> call(found, "failing", -1, "{}"))
        .withMessage("no disk");
  }

  @Test
  void aPayloadThatCannotBeReadIsAPermanentFailure() {
    List<Registration> found = find(new Handlers());

    assertThatExceptionOfType(PermanentException.class)
        .isThrownBy(() -> call(found, "placed", -1, "{"))
        .withMessageContaining("payload of type placed can't be read");
    assertThat(CALLS).isEmpty();
  }

  @Test
  void aProxiedBeanIsCalledThroughItsProxy() throws Exception {
    ProxyFactory proxy = new ProxyFactory(new Handlers());
    proxy.setProxyTargetClass(true);
    proxy.addAdvice(
        (org.aopalliance.intercept.MethodInterceptor)
            invocation -> {
              CALLS.add("advice");
              return invocation.proceed();
            });
    List<Registration> found = find(proxy.getProxy());

    call(found, "paid", -1, "{}");
    assertThat(CALLS).containsExactly("advice", "paid");
  }

  static class Wrong {
    @WaybillHandler("a")
    int returning(ReceivedEvent event) {
      return 1;
    }

    @WaybillHandler("b")
    void nothing() {}

    @WaybillHandler("c")
    void twice(Order one, Order two) {}

    @WaybillHandler("d")
    void mixed(List<Order> orders, ReceivedEvent event) {}

    @WaybillHandler
    void untyped(Order order) {}

    @WaybillHandler(value = "f", batch = 0)
    void small(List<Order> orders) {}

    @WaybillHandler("g")
    @Transactional(propagation = Propagation.REQUIRES_NEW)
    void elsewhere(Order order) {}

    @WaybillHandler("h")
    @Async
    void later(Order order) {}

    @WaybillHandler("k")
    @jakarta.transaction.Transactional(TxType.NOT_SUPPORTED)
    void jakarta(Order order) {}

    @WaybillHandler("i")
    void one(Order order) {}

    @WaybillHandler({"i", "j"})
    void other(Order order) {}
  }

  @Test
  void whatIsNoHandlerIsRefusedAllAtOnce() {
    assertThatThrownBy(() -> find(new Wrong()))
        .isInstanceOf(WaybillStartException.class)
        .hasMessageContainingAll(
            "Wrong.returning must return nothing, returns int",
            "Wrong.nothing must take the event or its payload",
            "Wrong.twice must take event, payload and connection once each",
            "Wrong.mixed must take lists of both",
            "Wrong.untyped must name event types",
            "Wrong.small batch of the handler for f must be from 1 to 1000, is 0",
            "Wrong.elsewhere must run in the inbox's transaction",
            "REQUIRES_NEW",
            "Wrong.jakarta must run in the inbox's transaction, has @Transactional(propagation ="
                + " NOT_SUPPORTED)",
            "Wrong.later must run in the thread of the inbox's transaction",
            "type i must have one handler, has Wrong.");
  }

  static class Base {
    @WaybillHandler("a")
    void inherited(Order order) {}
  }

  /** Spring runs all of its methods elsewhere, inherited ones too. */
  @Async
  static class Asynchronous extends Base {}

  @Test
  void aHandlerThatAnAsynchronousClassInheritsIsRefusedToo() {
    assertThatThrownBy(() -> find(new Asynchronous()))
        .isInstanceOf(WaybillStartException.class)
        .hasMessageContaining("Base.inherited must run in the thread of the inbox's transaction");
  }

  static class OfManagers {
    @WaybillHandler("a")
    @Transactional("inbox")
    void inboxs(Order order) {}

    @WaybillHandler("b")
    @Transactional("other")
    void another(Order order) {}

    @WaybillHandler("c")
    @Transactional(transactionManager = "none")
    void unknown(Order order) {}

    @WaybillHandler("d")
    @Transactional
    void usual(Order order) {}
  }

  private static List<Registration> find(TransactionManager inbox, String... managers) {
    DefaultListableBeanFactory factory = new DefaultListableBeanFactory();
    factory.registerSingleton("handlers", new OfManagers());
    for (String name : managers) {
      factory.registerSingleton(name, name.equals("inbox") ? inbox : new JdbcTransactionManager());
    }
    return HandlerScan.find(factory, MAPPER, inbox);
  }

  @Test
  void transactionsOfAnotherManagerAreRefused() {
    TransactionManager inbox = new JdbcTransactionManager();

    assertThatThrownBy(() -> find(inbox, "inbox", "other"))
        .isInstanceOf(WaybillStartException.class)
        .hasMessageContainingAll(
            "OfManagers.another must run in the inbox's transaction, but its @Transactional is one"
                + " of the transaction manager other",
            "OfManagers.unknown must run")
        .hasMessageNotContainingAny("OfManagers.inboxs", "OfManagers.usual");
    assertThatThrownBy(() -> find(inbox, "other"))
        .hasMessageContaining(
            "OfManagers.usual must run in the inbox's transaction, but its @Transactional is one"
                + " of the usual transaction manager");
  }
}
