package io.waybill.kafka;

import static java.util.Map.entry;

import io.waybill.proof.server.Certificates;
import io.waybill.proof.server.KafkaServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** A broker whose client listener asks for TLS, a password and privileges. */
final class SecuredKafka implements AutoCloseable {
  private static final String MODULES = "org.apache.kafka.common.security.";
  private static final String PLAIN = MODULES + "plain.PlainLoginModule required ";
  private static final String SCRAM = MODULES + "scram.ScramLoginModule required ";

  final KafkaServer server;
  private final Certificates certificates;

  /** Its certificate is good for {@code 127.0.0.1} and for no name. */
  SecuredKafka(Path directory) throws Exception {
    certificates =
        new Certificates(directory).authority("root").issue("root", "broker", "ip:127.0.0.1");
    server =
        KafkaServer.launch(
            "SASL_SSL",
            Map.ofEntries(
                entry("ssl.keystore.type", "PKCS12"),
                entry("ssl.keystore.location", certificates.file("broker.p12").toString()),
                entry("ssl.keystore.password", Certificates.PASSWORD),
                entry("sasl.enabled.mechanisms", "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512"),
                entry(
                    "listener.name.client.plain.sasl.jaas.config", PLAIN + "user_relay=\"right\";"),
                entry("listener.name.client.scram-sha-256.sasl.jaas.config", SCRAM + ";"),
                entry("listener.name.client.scram-sha-512.sasl.jaas.config", SCRAM + ";"),
                entry(
                    "authorizer.class.name",
                    "org.apache.kafka.metadata.authorizer.StandardAuthorizer"),
                entry("super.users", "User:ANONYMOUS")));
    addUser(ScramMechanism.SCRAM_SHA_256);
    addUser(ScramMechanism.SCRAM_SHA_512);
  }

  private void addUser(ScramMechanism mechanism) throws Exception {
    ScramCredentialInfo info = new ScramCredentialInfo(mechanism, 4096);
    try (Admin admin = server.admin()) {
      admin
          .alterUserScramCredentials(
              List.of(new UserScramCredentialUpsertion("relay", info, "right")))
          .all()
          .get(20, TimeUnit.SECONDS);
    }
  }

  /** Settings with the broker's authority as the only trusted one. */
  KafkaPublisherConfig.Builder trusting(String password) {
    return trusted(login(server.clientServers(), "PLAIN", PLAIN, password));
  }

  /** The same with a password that is proved without being sent. */
  KafkaPublisherConfig.Builder scram(String mechanism, String password) {
    return trusted(login(server.clientServers(), mechanism, SCRAM, password));
  }

  /** The same by a name that the certificate does not have. */
  KafkaPublisherConfig.Builder byName(String password) {
    String servers = server.clientServers().replace("127.0.0.1", "localhost");
    return trusted(login(servers, "PLAIN", PLAIN, password));
  }

  /** Settings that trust what the JVM trusts. */
  KafkaPublisherConfig.Builder config(String password) {
    return login(server.clientServers(), "PLAIN", PLAIN, password);
  }

  private KafkaPublisherConfig.Builder trusted(KafkaPublisherConfig.Builder config) {
    return config
        .property("ssl.truststore.type", "PEM")
        .property("ssl.truststore.location", certificates.file("root.pem").toString());
  }

  private static KafkaPublisherConfig.Builder login(
      String servers, String mechanism, String module, String password) {
    return KafkaPublisherConfig.builder(servers)
        .property("security.protocol", "SASL_SSL")
        .property("sasl.mechanism", mechanism)
        .property("sasl.jaas.config", module + "username=\"relay\" password=\"" + password + "\";");
  }

  void allow(String topic, AclOperation operation) throws Exception {
    allow(ResourceType.TOPIC, topic, operation);
  }

  void allow(ResourceType type, String name, AclOperation operation) throws Exception {
    AclBinding binding =
        new AclBinding(
            new ResourcePattern(type, name, PatternType.LITERAL),
            new AccessControlEntry("User:relay", "*", operation, AclPermissionType.ALLOW));
    try (Admin admin = server.admin()) {
      admin.createAcls(List.of(binding)).all().get(20, TimeUnit.SECONDS);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
