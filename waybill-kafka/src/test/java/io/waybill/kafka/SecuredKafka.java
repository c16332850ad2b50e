package io.waybill.kafka;

import static java.util.Map.entry;

import io.waybill.testkit.KafkaServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** A broker whose client listener asks for TLS, a password and privileges. */
final class SecuredKafka implements AutoCloseable {
  private static final String STORE_PASSWORD = "changeit";
  private static final String PLAIN =
      "org.apache.kafka.common.security.plain.PlainLoginModule required ";

  final KafkaServer server;
  private final Path dir;

  SecuredKafka() throws Exception {
    dir = Files.createTempDirectory("waybill-kafka-tls-");
    keytool(
        "-genkeypair",
        "-alias",
        "broker",
        "-keyalg",
        "RSA",
        "-dname",
        "CN=broker",
        "-ext",
        "SAN=ip:127.0.0.1",
        "-storetype",
        "PKCS12");
    keytool("-exportcert", "-rfc", "-alias", "broker", "-file", certificate());
    server =
        KafkaServer.launch(
            "SASL_SSL",
            Map.ofEntries(
                entry("ssl.keystore.type", "PKCS12"),
                entry("ssl.keystore.location", dir.resolve("broker.p12").toString()),
                entry("ssl.keystore.password", STORE_PASSWORD),
                entry("sasl.enabled.mechanisms", "PLAIN"),
                entry(
                    "listener.name.client.plain.sasl.jaas.config", PLAIN + "user_relay=\"right\";"),
                entry(
                    "authorizer.class.name",
                    "org.apache.kafka.metadata.authorizer.StandardAuthorizer"),
                entry("super.users", "User:ANONYMOUS")));
  }

  private String certificate() {
    return dir.resolve("broker.pem").toString();
  }

  private void keytool(String... command) throws IOException, InterruptedException {
    List<String> store =
        List.of("-keystore", dir.resolve("broker.p12").toString(), "-storepass", STORE_PASSWORD);
    String tool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    List<String> all =
        Stream.of(Stream.of(tool), Stream.of(command), store.stream()).flatMap(s -> s).toList();
    Process process =
        new ProcessBuilder(all)
            .redirectErrorStream(true)
            .redirectOutput(dir.resolve("keytool.log").toFile())
            .start();
    if (process.waitFor() != 0) {
      throw new IllegalStateException(Files.readString(dir.resolve("keytool.log")));
    }
  }

  /** Settings with the broker's certificate as the only trusted one. */
  KafkaPublisherConfig.Builder trusting(String password) {
    return config(password)
        .property("ssl.truststore.type", "PEM")
        .property("ssl.truststore.location", certificate());
  }

  /** Settings that trust what the JVM trusts. */
  KafkaPublisherConfig.Builder config(String password) {
    return KafkaPublisherConfig.builder(server.clientServers())
        .property("security.protocol", "SASL_SSL")
        .property("sasl.mechanism", "PLAIN")
        .property("sasl.jaas.config", PLAIN + "username=\"relay\" password=\"" + password + "\";");
  }

  void allow(String topic, AclOperation operation) throws Exception {
    AclBinding binding =
        new AclBinding(
            new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
            new AccessControlEntry("User:relay", "*", operation, AclPermissionType.ALLOW));
    try (Admin admin = server.admin()) {
      admin.createAcls(List.of(binding)).all().get(20, TimeUnit.SECONDS);
    }
  }

  @Override
  public void close() {
    server.close();
    Stream.of("broker.p12", "broker.pem", "keytool.log", "")
        .map(dir::resolve)
        .forEach(path -> path.toFile().delete());
  }
}
