package io.waybill.proof.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What does not depend on a protocol. */
@Timeout(60)
class ToxicTest {
  private static final int SHORT_MILLIS = 300;

  private EchoServer server;
  private Proxy proxy;
  private ProxyClient client;

  @BeforeEach
  void connect() throws IOException {
    server = new EchoServer();
    proxy = Proxy.start(Protocol.PLAIN, server.port());
    client = new ProxyClient(proxy);
    echo(1);
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    proxy.close();
    server.close();
  }

  private void echo(int number) throws IOException {
    client.send(number);
    assertThat(client.next()).isEqualTo(number);
  }

  private void assertSilence() throws IOException {
    client.patience(SHORT_MILLIS);
    assertThatThrownBy(client::next).isInstanceOf(SocketTimeoutException.class);
    client.patience(20_000);
  }

  @Test
  void anyBytesPassUnchanged() throws IOException {
    byte[] sent = new byte[1_000_000];
    new Random(1).nextBytes(sent);
    Thread writer =
        new Thread(
            () -> {
              try {
                client.raw(sent);
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    writer.start();
    assertThat(client.read(sent.length)).isEqualTo(sent);
  }

  @Test
  void theOrderlyEndOfAConnectionIsPassedOn() throws IOException {
    client.endOutput();
    await().until(() -> server.ends().contains("end"));
    assertThat(client.peek()).isEqualTo(-1);
    await().until(() -> proxy.connections() == 0);
  }

  @Test
  void latencyDelaysAnOpenConnectionUntilItIsRemoved() throws IOException {
    Toxic latency = Toxic.latency(Duration.ofMillis(150), Duration.ofMillis(50));
    proxy.add(latency);
    Instant start = Instant.now();
    echo(2);
    assertThat(Duration.between(start, Instant.now())).isBetween(ms(300), ms(20_000));
    proxy.remove(latency);
    proxy.add(Direction.TO_CLIENT, Toxic.latency(Duration.ofHours(1)));
    client.send(3);
    assertSilence();
    proxy.remove(Direction.TO_CLIENT, Toxic.latency(Duration.ofHours(1)));
    assertThat(client.next()).isEqualTo(3);
  }

  private static Duration ms(long millis) {
    return Duration.ofMillis(millis);
  }

  @Test
  void bandwidthLimitsWhatAConnectionCarries() throws IOException {
    proxy.add(Direction.TO_SERVER, Toxic.bandwidth(20_000));
    Instant start = Instant.now();
    client.raw(new byte[10_000]);
    client.read(10_000);
    assertThat(Duration.between(start, Instant.now())).isGreaterThan(ms(450));
    proxy.heal();
    start = Instant.now();
    client.raw(new byte[100_000]);
    client.read(100_000);
    assertThat(Duration.between(start, Instant.now())).isLessThan(ms(4_500));
  }

  @Test
  void aBlackHoleSwallowsWithoutAReset() throws IOException {
    proxy.add(Toxic.blackHole());
    client.send(2);
    assertSilence();
    assertThat(server.received()).isEqualTo(ProxyClient.ack(1).length);
    try (ProxyClient other = new ProxyClient(proxy)) {
      other.patience(SHORT_MILLIS);
      other.send(1);
      assertThatThrownBy(other::next).isInstanceOf(SocketTimeoutException.class);
      assertThat(server.ends()).isEmpty();
    }
    proxy.remove(Toxic.blackHole());
    assertThatThrownBy(client::next).isInstanceOf(SocketException.class);
    client = new ProxyClient(proxy);
    echo(3);
  }

  @Test
  void aBlackHoleCanBeInOneDirection() throws IOException {
    proxy.add(Direction.TO_CLIENT, Toxic.blackHole());
    client.send(2);
    await().until(() -> server.received() == 2L * ProxyClient.ack(1).length);
    assertSilence();
  }

  @Test
  void aConnectionThatLostNothingInABlackHoleGoesOn() throws IOException {
    proxy.add(Toxic.blackHole());
    proxy.heal();
    echo(2);
  }

  @Test
  void whatWasHeldArrivesAfterwards() throws IOException {
    proxy.add(Direction.TO_SERVER, Toxic.hold());
    client.send(2, 3);
    assertSilence();
    proxy.remove(Direction.TO_SERVER, Toxic.hold());
    assertThat(client.next()).isEqualTo(2);
    assertThat(client.next()).isEqualTo(3);
  }

  @Test
  void aResetIsSeenByBothSides() {
    proxy.reset();
    assertThatThrownBy(client::next).isInstanceOf(SocketException.class);
    await().until(() -> server.ends().contains("reset"));
    assertThat(proxy.connections()).isZero();
  }

  @Test
  void theResetOfOneSideIsPassedOn() throws IOException {
    client.abort();
    await().until(() -> server.ends().contains("reset"));
  }

  @Test
  void anOrderlyEndIsSeenByBothSides() throws IOException {
    proxy.end();
    assertThat(client.peek()).isEqualTo(-1);
    await().until(() -> server.ends().contains("end"));
  }

  @Test
  void aHalfClosedConnectionStillCarriesTheOtherDirection() throws IOException {
    proxy.halfClose(Direction.TO_CLIENT);
    assertThat(client.peek()).isEqualTo(-1);
    client.send(2);
    await().until(() -> server.received() == 2L * ProxyClient.ack(1).length);
    assertThat(server.ends()).isEmpty();
  }

  @Test
  void aServerThatIsToldTheEndStillAnswersWhatItHadGot() throws IOException {
    proxy.add(Direction.TO_CLIENT, Toxic.hold());
    client.send(2);
    await().until(() -> server.received() == 2L * ProxyClient.ack(1).length);
    proxy.halfClose(Direction.TO_SERVER);
    await().until(() -> server.ends().contains("end"));
    proxy.heal();
    assertThat(client.next()).isEqualTo(2);
    assertThat(client.peek()).isEqualTo(-1);
  }

  @Test
  void newConnectionsAreRefusedAndOpenOnesGoOn() throws IOException {
    proxy.refuse();
    assertThatThrownBy(() -> new ProxyClient(proxy)).isInstanceOf(ConnectException.class);
    echo(2);
    proxy.admit();
    client = new ProxyClient(proxy);
    echo(3);
  }

  @Test
  void aServerMayComeAndGo() throws IOException {
    server.leave();
    try (ProxyClient orphan = new ProxyClient(proxy)) {
      assertThatThrownBy(orphan::peek).isInstanceOf(SocketException.class);
    }
    server.comeBack();
    client = new ProxyClient(proxy);
    echo(2);
  }

  @Test
  void commandsAreInTheHistory() {
    proxy.add(Direction.TO_CLIENT, Toxic.hold());
    proxy.refuse();
    proxy.heal();
    proxy.reset();
    assertThat(proxy.history().entries())
        .extracting(Fired::what)
        .containsExactly("add Hold[]", "refuse", "heal", "reset");
    Fired first = proxy.history().entries().get(0);
    assertThat(first.direction()).isEqualTo(Direction.TO_CLIENT);
    assertThat(first.at()).isBetween(Instant.now().minusSeconds(60), Instant.now());
    assertThat(System.nanoTime() - first.nanos()).isBetween(0L, Duration.ofMinutes(1).toNanos());
  }

  @Test
  void addressesLeadThroughTheProxy() {
    assertThat(proxy.through("jdbc:x://h:" + server.port() + "/db?a=b"))
        .isEqualTo("jdbc:x://h:" + proxy.port() + "/db?a=b");
    assertThatThrownBy(() -> proxy.through("h:1")).hasMessageContaining("h:1");
  }

  @Test
  void impossibleToxicsAreRefused() {
    assertThatThrownBy(() -> Toxic.bandwidth(0)).hasMessageContaining("0");
    assertThatThrownBy(() -> Toxic.latency(Duration.ofMillis(-1))).hasMessageContaining("-0.001");
  }
}
