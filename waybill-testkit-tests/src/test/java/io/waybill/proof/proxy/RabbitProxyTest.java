package io.waybill.proof.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.ShutdownSignalException;
import io.waybill.proof.server.RabbitServer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers of a real broker, lost, late and cut, seen by its real client. */
@Tag("server")
@Tag("long")
@Timeout(120)
class RabbitProxyTest {
  private static final String QUEUE = "queue";
  private static final long PATIENCE_MILLIS = 20_000;
  private static RabbitServer server;

  private Proxy proxy;
  private Connection proxied;
  private Channel channel;
  private Connection own;
  private Channel direct;
  private final List<String> heard = new CopyOnWriteArrayList<>();

  @BeforeAll
  static void launch() {
    server = RabbitServer.launch();
  }

  @AfterAll
  static void end() {
    server.close();
  }

  @BeforeEach
  void connect() throws Exception {
    proxy = Proxy.start(Protocol.AMQP, server.port());
    own = connection(server.port());
    direct = own.createChannel();
    direct.queueDelete(QUEUE);
    direct.queueDeclare(QUEUE, true, false, false, null);
    proxied = connection(proxy.port());
    channel = proxied.createChannel();
    channel.confirmSelect();
    channel.addReturnListener(message -> heard.add("return"));
    channel.addConfirmListener((tag, multiple) -> heard.add("ack"), (tag, multiple) -> {});
  }

  private static Connection connection(int port) throws IOException, TimeoutException {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost(server.host());
    factory.setPort(port);
    factory.setAutomaticRecoveryEnabled(false);
    return factory.newConnection("proxy test");
  }

  @AfterEach
  void disconnect() throws IOException {
    proxied.abort();
    own.close();
    proxy.close();
  }

  private void publish(String queue) throws IOException {
    channel.basicPublish("", queue, true, null, new byte[200_000]);
  }

  private boolean confirmed(long millis) throws InterruptedException, TimeoutException {
    return channel.waitForConfirms(millis);
  }

  private void assertStored(int messages) {
    await().untilAsserted(() -> assertThat(direct.messageCount(QUEUE)).isEqualTo(messages));
  }

  @Test
  void aDroppedAckLeavesThePublisherInDoubtAndTheMessageInPlace() throws Exception {
    Rule rule = proxy.add(Rule.on(Match.basicAck()).nth(3).before(Action.drop()));
    for (int i = 0; i < 2; i++) {
      publish(QUEUE);
      assertThat(confirmed(PATIENCE_MILLIS)).isTrue();
    }
    publish(QUEUE);
    assertThatThrownBy(() -> confirmed(500)).isInstanceOf(TimeoutException.class);
    assertStored(3);
    assertThat(proxy.history().count(rule)).isEqualTo(1);
  }

  @Test
  void aDelayedReturnStillComesBeforeItsAck() throws Exception {
    proxy.add(Rule.on(Match.basicReturn()).nth(1).before(Action.delay(Duration.ofMillis(400))));
    Instant start = Instant.now();
    publish("nowhere");
    assertThat(confirmed(PATIENCE_MILLIS)).isTrue();
    assertThat(Duration.between(start, Instant.now())).isGreaterThan(Duration.ofMillis(390));
    assertThat(heard).containsExactly("return", "ack");
  }

  @Test
  void aDroppedReturnTakesItsContentAlong() throws Exception {
    proxy.add(Rule.on(Match.basicReturn()).nth(1).before(Action.drop()));
    publish("nowhere");
    publish("nowhere");
    publish(QUEUE);
    assertThat(confirmed(PATIENCE_MILLIS)).isTrue();
    await().untilAsserted(() -> assertThat(heard).containsOnlyOnce("return").contains("ack"));
    assertStored(1);
  }

  @Test
  void aConnectionCutAfterTheAckHasToldThePublisher() throws Exception {
    proxy.add(Rule.on(Match.basicAck()).nth(1).after(Action.close()));
    publish(QUEUE);
    await().untilAsserted(() -> assertThat(heard).containsExactly("ack"));
    await().until(() -> !proxied.isOpen());
    assertStored(1);
  }

  @Test
  void aConnectionCutBeforeAMessageLeavesNothing() throws Exception {
    proxy.add(Rule.on(Match.basicPublish()).nth(2).before(Action.reset()));
    publish(QUEUE);
    assertThat(confirmed(PATIENCE_MILLIS)).isTrue();
    assertThatThrownBy(
            () -> {
              publish(QUEUE);
              confirmed(PATIENCE_MILLIS);
            })
        .isInstanceOfAny(IOException.class, ShutdownSignalException.class);
    assertStored(1);
  }

  @Test
  void aDuplicatedMessageIsStoredTwice() throws Exception {
    proxy.add(Rule.on(Match.basicPublish()).nth(1).before(Action.duplicate()));
    publish(QUEUE);
    assertThat(confirmed(PATIENCE_MILLIS)).isTrue();
    assertStored(2);
  }

  @Test
  void aLostAckOfAConsumerLetsTheBrokerDeliverAgain() throws Exception {
    Rule rule = proxy.add(Rule.on(Match.consumerAck()).nth(1).before(Action.drop()));
    publish(QUEUE);
    assertThat(confirmed(PATIENCE_MILLIS)).isTrue();
    assertStored(1);
    channel.basicAck(channel.basicGet(QUEUE, false).getEnvelope().getDeliveryTag(), false);
    await().until(() -> proxy.history().count(rule) == 1);
    proxy.reset();
    assertStored(1);
    await().until(() -> direct.basicGet(QUEUE, true).getEnvelope().isRedeliver());
  }
}
