package io.waybill.proof.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What rules do, at acknowledgements that a server sends back. */
@Timeout(60)
class RuleTest {
  private EchoServer server;
  private Proxy proxy;
  private ProxyClient client;

  @BeforeEach
  void connect() throws IOException {
    server = new EchoServer();
    proxy = Proxy.start(Protocol.AMQP, server.port());
    client = new ProxyClient(proxy);
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    proxy.close();
    server.close();
  }

  private List<Integer> next(int count) throws IOException {
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      numbers.add(client.next());
    }
    return numbers;
  }

  private static Rule.Counted third() {
    return Rule.on(Match.basicAck()).nth(3);
  }

  @Test
  void exactlyTheNthFrameIsDropped() throws IOException {
    Rule rule = proxy.add(third().before(Action.drop()));
    client.send(1, 2, 3, 4, 5);
    assertThat(next(4)).containsExactly(1, 2, 4, 5);
    assertThat(proxy.history().count(rule)).isEqualTo(1);
  }

  @Test
  void framesAreCountedOverAllConnectionsFromWhenTheRuleWasAdded() throws IOException {
    client.send(1);
    assertThat(next(1)).containsExactly(1);
    proxy.add(third().before(Action.drop()));
    try (ProxyClient other = new ProxyClient(proxy)) {
      other.send(1, 2);
      assertThat(other.next()).isEqualTo(1);
      assertThat(other.next()).isEqualTo(2);
    }
    client.send(2, 3);
    assertThat(next(1)).containsExactly(3);
  }

  @Test
  void rulesForManyFramesFireUntilTheyAreRemoved() throws IOException {
    Rule late = proxy.add(Rule.on(Match.basicAck()).from(2).before(Action.drop()));
    Rule each = proxy.add(Rule.on(Match.consumerAck()).each().before(Action.duplicate()));
    client.send(1, 2, 3);
    assertThat(next(1)).containsExactly(1);
    await().until(() -> proxy.history().count(late) == 5);
    assertThat(proxy.history().count(each)).isEqualTo(3);
    proxy.remove(late);
    proxy.remove(each);
    client.send(4);
    assertThat(next(1)).containsExactly(4);
  }

  @Test
  void theContentOfADroppedMethodIsDroppedOnItsChannelOnly() throws IOException {
    proxy.add(Rule.on(Match.basicReturn()).nth(1).before(Action.drop()));
    byte[] other = Bytes.amqp(3, 2, Bytes.text("body of channel 2"));
    client.raw(
        Bytes.join(
            Bytes.amqpMethod(1, 60, 50, "312"),
            Bytes.amqpHeader(1, 4),
            other,
            Bytes.amqp(3, 1, Bytes.text("body"))));
    client.send(1);
    assertThat(client.read(other.length)).isEqualTo(other);
    assertThat(next(1)).containsExactly(1);
  }

  @Test
  void aDelayedFrameKeepsItsPlace() throws IOException {
    proxy.add(third().before(Action.delay(Duration.ofMillis(300))));
    Instant start = Instant.now();
    client.send(1, 2, 3, 4);
    assertThat(next(2)).containsExactly(1, 2);
    assertThat(next(2)).containsExactly(3, 4);
    assertThat(Duration.between(start, Instant.now())).isGreaterThan(Duration.ofMillis(290));
  }

  @Test
  void aFrameCanBeDuplicated() throws IOException {
    proxy.add(third().before(Action.duplicate()));
    client.send(1, 2, 3, 4);
    assertThat(next(5)).containsExactly(1, 2, 3, 3, 4);
  }

  @Test
  void anActionAfterAMethodComesBehindItsContent() throws IOException {
    proxy.add(Rule.on(Match.basicReturn()).nth(1).after(Action.close()));
    proxy.add(Rule.on(Match.basicPublish()).nth(1).before(Action.duplicate()));
    byte[] publish =
        Bytes.join(
            Bytes.amqpMethod(1, 60, 40, "where"),
            Bytes.amqpHeader(1, 4),
            Bytes.amqp(3, 1, Bytes.text("body")));
    client.raw(publish);
    assertThat(client.read(2 * publish.length)).isEqualTo(Bytes.join(publish, publish));
    byte[] back = Bytes.join(Bytes.amqpMethod(1, 60, 50, "312"), Bytes.amqpHeader(1, 0));
    client.raw(back);
    client.send(1);
    assertThat(client.read(back.length)).isEqualTo(back);
    assertThat(client.peek()).isEqualTo(-1);
  }

  @Test
  void aResetBeforeAFrameHidesIt() throws IOException {
    proxy.add(third().before(Action.reset()));
    client.send(1, 2, 3, 4);
    assertThat(next(2)).containsExactly(1, 2);
    assertThatThrownBy(client::next).isInstanceOf(SocketException.class);
    await().until(() -> server.ends().contains("reset"));
  }

  @Test
  void aResetAfterAFrameComesBehindIt() throws IOException {
    proxy.add(third().after(Action.reset()));
    client.send(1, 2, 3, 4);
    assertThat(next(3)).containsExactly(1, 2, 3);
    assertThatThrownBy(client::next).isInstanceOf(SocketException.class);
  }

  @Test
  void aConnectionCanBeClosedBeforeOrAfterAFrame() throws IOException {
    proxy.add(third().after(Action.close()));
    client.send(1, 2, 3);
    assertThat(next(3)).containsExactly(1, 2, 3);
    assertThat(client.peek()).isEqualTo(-1);
    client = new ProxyClient(proxy);
    proxy.add(Rule.on(Match.basicAck()).nth(1).before(Action.close()));
    client.send(4);
    assertThat(client.peek()).isEqualTo(-1);
  }

  @Test
  void oneDirectionCanBeEndedAtAFrame() throws IOException {
    proxy.add(third().before(Action.halfClose()));
    client.send(1, 2, 3);
    assertThat(next(2)).containsExactly(1, 2);
    assertThat(client.peek()).isEqualTo(-1);
    long before = server.received();
    client.send(4);
    await().until(() -> server.received() == before + ProxyClient.ack(4).length);
  }

  @Test
  void aConnectionCanFallSilentAtAFrame() throws IOException {
    proxy.add(third().after(Action.blackHole()));
    client.send(1, 2, 3);
    assertThat(next(3)).containsExactly(1, 2, 3);
    client.send(4);
    client.patience(300);
    assertThatThrownBy(client::next).isInstanceOf(SocketTimeoutException.class);
    assertThat(server.ends()).isEmpty();
    assertThat(server.received()).isEqualTo(3L * ProxyClient.ack(1).length);
    try (ProxyClient other = new ProxyClient(proxy)) {
      other.send(5);
      assertThat(other.next()).isEqualTo(5);
    }
    proxy.heal();
    assertThatThrownBy(client::next).isInstanceOf(SocketException.class);
  }

  @Test
  void aTestCanActBeforeAndAfterAFrame() throws Exception {
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Runnable task =
        () -> {
          reached.countDown();
          waitFor(goOn);
        };
    proxy.add(third().before(Action.run("pause", task)));
    client.send(1, 2, 3);
    assertThat(reached.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(next(2)).containsExactly(1, 2);
    client.patience(200);
    assertThatThrownBy(client::peek).isInstanceOf(SocketTimeoutException.class);
    goOn.countDown();
    client.patience(20_000);
    assertThat(next(1)).containsExactly(3);
    CountDownLatch after = new CountDownLatch(1);
    proxy.add(Rule.on(Match.basicAck()).nth(1).after(Action.run("count", after::countDown)));
    client.send(4);
    assertThat(after.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(next(1)).containsExactly(4);
  }

  private static void waitFor(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void everyRuleThatFiresIsInTheHistory() throws IOException {
    List<Fired> told = new CopyOnWriteArrayList<>();
    proxy.history().listen(told::add);
    Rule rule = proxy.add(third().before(Action.drop()));
    client.send(1, 2, 3, 4);
    assertThat(next(3)).containsExactly(1, 2, 4);
    assertThat(proxy.history().entries()).hasSize(1).isEqualTo(told);
    Fired fired = told.get(0);
    assertThat(fired.rule()).isEqualTo(rule);
    assertThat(fired.what()).isEqualTo("BASIC_ACK TO_CLIENT #3 BEFORE Drop[]");
    assertThat(fired.connection()).isEqualTo(1);
    assertThat(fired.direction()).isEqualTo(Direction.TO_CLIENT);
    assertThat(fired.frame()).isEqualTo("basic.ack");
  }

  @Test
  void impossibleRulesAreRefused() {
    assertThatThrownBy(() -> third().after(Action.drop())).hasMessageContaining("dropped");
    assertThatThrownBy(() -> Rule.on(Match.basicAck()).nth(0).before(Action.drop()))
        .hasMessageContaining("from 1");
    assertThatThrownBy(() -> Action.delay(Duration.ZERO)).hasMessageContaining("positive");
    assertThatThrownBy(() -> Match.replyTo("(")).isInstanceOf(IllegalArgumentException.class);
  }
}
