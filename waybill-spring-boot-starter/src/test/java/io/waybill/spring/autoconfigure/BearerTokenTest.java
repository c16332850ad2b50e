package io.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.waybill.proof.oracle.KafkaTail;
import io.waybill.proof.server.KafkaServer;
import io.waybill.spring.Tables;
import io.waybill.testkit.Patience;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/** OAUTHBEARER with a Kafka that checks signature, issuer and audience of each token. */
@Tag("server")
@Tag("long")
class BearerTokenTest {
  private static final String ALLOWED = "org.apache.kafka.sasl.oauthbearer.allowed.urls";
  private static final String LOGIN =
      "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required;";
  private static final Duration PATIENCE = Patience.of(Duration.ofSeconds(60));

  @TempDir private static Path folder;
  private static KeyPair keys;
  private static KafkaServer kafka;

  private final String topic = "tokens-" + UUID.randomUUID();

  private static KeyPair generate() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    return generator.generateKeyPair();
  }

  @BeforeAll
  static void launch() throws Exception {
    keys = generate();
    RSAPublicKey known = (RSAPublicKey) keys.getPublic();
    Path file =
        Files.writeString(
            folder.resolve("jwks.json"),
            """
            {"keys": [{"kty": "RSA", "kid": "k1", "use": "sig", "alg": "RS256",
              "n": "%s", "e": "%s"}]}
            """
                .formatted(number(known.getModulus()), number(known.getPublicExponent())));
    String listener = "listener.name.client.oauthbearer.";
    String handler =
        "org.apache.kafka.common.security.oauthbearer.OAuthBearerValidatorCallbackHandler";
    kafka =
        KafkaServer.launch(
            "SASL_PLAINTEXT",
            Map.of(
                "listener.name.client.sasl.enabled.mechanisms",
                "OAUTHBEARER",
                listener + "sasl.jaas.config",
                LOGIN,
                listener + "sasl.server.callback.handler.class",
                handler,
                "sasl.oauthbearer.jwks.endpoint.url",
                file.toUri().toString(),
                "sasl.oauthbearer.expected.issuer",
                "tests",
                "sasl.oauthbearer.expected.audience",
                "kafka"),
            List.of("-D" + ALLOWED + "=" + file.toUri()));
  }

  @AfterAll
  static void stop() {
    kafka.close();
  }

  private static String number(BigInteger value) {
    byte[] bytes = value.toByteArray();
    int sign = bytes[0] == 0 ? 1 : 0;
    return text(java.util.Arrays.copyOfRange(bytes, sign, bytes.length));
  }

  private static String text(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static String text(String json) {
    return text(json.getBytes(StandardCharsets.UTF_8));
  }

  private static String token(KeyPair signing) throws GeneralSecurityException {
    long now = Instant.now().getEpochSecond();
    String signed =
        text("{\"alg\":\"RS256\",\"kid\":\"k1\",\"typ\":\"JWT\"}")
            + "."
            + text(
                "{\"iss\":\"tests\",\"aud\":\"kafka\",\"sub\":\"relay\",\"scope\":\"events\","
                    + "\"iat\":%d,\"exp\":%d}".formatted(now, now + 3_600));
    Signature signature = Signature.getInstance("SHA256withRSA");
    signature.initSign(signing.getPrivate());
    signature.update(signed.getBytes(StandardCharsets.UTF_8));
    return signed + "." + text(signature.sign());
  }

  @BeforeEach
  void createTopic() {
    kafka.createTopic(topic, 1, Map.of());
  }

  @AfterEach
  void disallow() {
    System.clearProperty(ALLOWED);
  }

  private ConfigurableApplicationContext run(String endpoint, String... more) {
    String client = "waybill.kafka.properties.";
    List<String> all = new ArrayList<>(List.of(more));
    all.add("waybill.kafka.bootstrap-servers=" + kafka.clientServers());
    all.add(client + "security.protocol=SASL_PLAINTEXT");
    all.add(client + "sasl.mechanism=OAUTHBEARER");
    all.add(client + "sasl.oauthbearer.token.endpoint.url=" + endpoint);
    all.add("waybill.routes.default.target=" + topic);
    return SmallApplication.run(Tables.create().url(), all.toArray(String[]::new));
  }

  private void assertPublishes(String endpoint, String... more) {
    System.setProperty(ALLOWED, endpoint);
    try (ConfigurableApplicationContext context = run(endpoint, more);
        KafkaTail tail = new KafkaTail(kafka.bootstrapServers(), List.of(topic))) {
      SmallApplication.publish(context, "42");
      Awaitility.await().atMost(PATIENCE).until(() -> tail.count() == 1);
    }
  }

  private static String file(KeyPair signing) throws IOException, GeneralSecurityException {
    return Files.writeString(folder.resolve("token"), token(signing)).toUri().toString();
  }

  @Test
  void aTokenInAFile() throws Exception {
    assertPublishes(file(keys));
  }

  @Test
  void aTokenThatAnEndpointGivesForTheClientsSecret() throws Exception {
    String answer = "{\"access_token\":\"%s\",\"expires_in\":3600}".formatted(token(keys));
    List<String> asked = new ArrayList<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/token",
        exchange -> {
          try (InputStream body = exchange.getRequestBody()) {
            asked.add(
                exchange.getRequestHeaders().getFirst("Authorization")
                    + " "
                    + new String(body.readAllBytes(), StandardCharsets.UTF_8));
          }
          byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    try {
      String client = "waybill.kafka.properties.sasl.oauthbearer.";
      assertPublishes(
          "http://127.0.0.1:" + server.getAddress().getPort() + "/token",
          client + "client.credentials.client.id=relay",
          client + "client.credentials.client.secret=secret",
          client + "scope=events");
    } finally {
      server.stop(0);
    }
    String login =
        Base64.getEncoder().encodeToString("relay:secret".getBytes(StandardCharsets.UTF_8));
    assertThat(asked)
        .isNotEmpty()
        .allSatisfy(
            each ->
                assertThat(each)
                    .startsWith("Basic " + login)
                    .contains("grant_type=client_credentials", "scope=events"));
  }

  @Test
  void aTokenThatSomebodyElseSignedIsRefusedAndSaidSo() throws Exception {
    String endpoint = file(generate());
    System.setProperty(ALLOWED, endpoint);
    try (ConfigurableApplicationContext context = run(endpoint)) {
      SmallApplication.publish(context, "42");
      RelayLifecycle relay = context.getBean(RelayLifecycle.class);
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> relay.unready().toString().contains("the broker accepts no messages"));
    }
  }
}
