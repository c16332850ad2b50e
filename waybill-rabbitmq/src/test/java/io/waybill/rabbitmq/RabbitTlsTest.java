package io.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.message.Destination;
import io.waybill.proof.server.Certificates;
import io.waybill.proof.server.FreePort;
import io.waybill.proof.server.RabbitServer;
import io.waybill.testkit.Patience;
import io.waybill.testkit.PublisherRecorder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS against a broker whose certificate names {@code localhost} and not its address. */
@Tag("long")
class RabbitTlsTest {
  @TempDir private static Path directory;

  private static Certificates certificates;
  private static RabbitServer server;
  private static int port;

  @BeforeAll
  static void launch() throws Exception {
    certificates =
        new Certificates(directory)
            .authority("root")
            .authority("stranger")
            .issue("root", "broker", "dns:localhost")
            .issue("root", "relay", "dns:relay");
    port = FreePort.find();
    List<String> settings =
        List.of(
            "listeners.ssl.1 = 127.0.0.1:" + port,
            "ssl_options.certfile = " + certificates.file("broker.pem"),
            "ssl_options.keyfile = " + certificates.file("broker.key"),
            "ssl_options.cacertfile = " + certificates.file("root.pem"),
            "ssl_options.verify = verify_peer",
            "ssl_options.fail_if_no_peer_cert = false",
            "ssl_cert_login_from = common_name",
            "auth_mechanisms.1 = PLAIN",
            "auth_mechanisms.2 = EXTERNAL");
    server = RabbitServer.launch(List.of("rabbitmq_auth_mechanism_ssl"), settings);
    server.ctl("add_user", "relay", "not used");
    server.ctl("set_permissions", "relay", ".*", ".*", ".*");
    Broker.create(server, "tls", Broker.QUORUM);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void publishesWithPasswordOverTls() {
    assertPublishes(config("localhost").tls(trusting("root.pem", true)));
  }

  @Test
  void provesItselfByCertificate() {
    RabbitTls tls =
        new RabbitTls(
            certificates.file("root.pem"),
            null,
            certificates.file("relay.p12"),
            Certificates.PASSWORD,
            true);
    assertPublishes(config("localhost").tls(tls).credentials(new RabbitCredentials.Certificate()));
  }

  @Test
  void readsATrustStoreWithPassword() {
    Path store = certificates.file("root.p12");
    RabbitTls tls = new RabbitTls(store, Certificates.PASSWORD, null, null, false);
    assertThat(tls.context().getProtocol()).isEqualTo("TLS");
  }

  @Test
  void refusesABrokerWhoseCertificateNamesAnotherHost() {
    assertUnavailable(config("127.0.0.1").tls(trusting("root.pem", true)));
    assertPublishes(config("127.0.0.1").tls(trusting("root.pem", false)));
  }

  @Test
  void refusesABrokerThatItDoesNotTrust() {
    assertUnavailable(config("localhost").tls(trusting("stranger.pem", true)));
    assertUnavailable(config("localhost").tls(RabbitTls.ofDefaults()));
  }

  private static RabbitTls trusting(String file, boolean verifyHostname) {
    return new RabbitTls(certificates.file(file), null, null, null, verifyHostname);
  }

  private static RabbitPublisherConfigBuilder config(String host) {
    return RabbitPublisherConfig.builder().addresses(List.of(host + ":" + port));
  }

  private static void assertPublishes(RabbitPublisherConfigBuilder config) {
    PublisherRecorder recorder = new PublisherRecorder();
    try (RabbitPublisher publisher = new RabbitPublisher(config.build())) {
      publisher.start(recorder);
      byte[] body = new byte[100_000];
      Destination to = Destination.exchange("tls", "key");
      publisher.send(new Outgoing(1, to, null, body, "text/plain", "e", "t", 1, List.of()));
      Awaitility.await()
          .atMost(Patience.of(Duration.ofSeconds(15)))
          .until(() -> new Confirmation.Confirmed(1).equals(recorder.outcome(1)));
    }
  }

  private static void assertUnavailable(RabbitPublisherConfigBuilder config) {
    PublisherRecorder recorder = new PublisherRecorder();
    try (RabbitPublisher publisher = new RabbitPublisher(config.build())) {
      publisher.start(recorder);
      Awaitility.await()
          .atMost(Patience.of(Duration.ofSeconds(15)))
          .until(() -> recorder.transport().equals(List.of("unavailable")));
    }
  }
}
