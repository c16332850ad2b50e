package io.waybill.spring;

import static java.util.Map.entry;

import io.waybill.proof.server.Certificates;
import io.waybill.proof.server.FreePort;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.proof.server.RabbitServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** One server of each kind for all tests of this module, started when the first one asks. */
public final class TestServers {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private TestServers() {}

  private static final class Postgres {
    static final PostgresServer SERVER = PostgresServer.launch();
  }

  private static final class Tls {
    static final Certificates CERTIFICATES = certificates();

    private static Certificates certificates() {
      try {
        Path folder = Files.createTempDirectory("waybill-spring-tls-");
        return new Certificates(folder)
            .authority("root")
            .issue("root", "broker", "ip:127.0.0.1")
            .issue("root", "client", "dns:client")
            .encrypt("client");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static final class Kafka {
    static final KafkaServer SERVER =
        KafkaServer.launch(
            "SSL",
            Map.ofEntries(
                entry("ssl.keystore.type", "PKCS12"),
                entry("ssl.keystore.location", file("broker.p12")),
                entry("ssl.keystore.password", Certificates.PASSWORD),
                entry("ssl.truststore.type", "PEM"),
                entry("ssl.truststore.location", file("root.pem")),
                entry("listener.name.client.ssl.client.auth", "required")));
  }

  private static final class Rabbit {
    static final int TLS_PORT = FreePort.find();
    static final RabbitServer SERVER =
        RabbitServer.launch(
            List.of("rabbitmq_management", "rabbitmq_auth_mechanism_ssl"),
            List.of(
                "listeners.ssl.1 = 127.0.0.1:" + TLS_PORT,
                "ssl_options.certfile = " + file("broker.pem"),
                "ssl_options.keyfile = " + file("broker.key"),
                "ssl_options.cacertfile = " + file("root.pem"),
                "ssl_options.verify = verify_peer",
                "ssl_options.fail_if_no_peer_cert = true",
                "ssl_cert_login_from = common_name",
                "auth_mechanisms.1 = PLAIN",
                "auth_mechanisms.2 = EXTERNAL"));
  }

  /** A file of the certificates root, broker and client. */
  public static String file(String name) {
    return Tls.CERTIFICATES.file(name).toString();
  }

  public static PostgresServer postgres() {
    return Postgres.SERVER;
  }

  /** JDBC URL of an empty database. */
  public static String database() {
    return postgres().createDatabase("test_" + NUMBER.incrementAndGet());
  }

  public static KafkaServer kafka() {
    return Kafka.SERVER;
  }

  public static RabbitServer rabbit() {
    return Rabbit.SERVER;
  }

  public static int rabbitTlsPort() {
    return Rabbit.SERVER.port() > 0 ? Rabbit.TLS_PORT : 0;
  }
}
