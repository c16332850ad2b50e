package io.waybill.server.relay;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.factories.DefaultJWSSignerFactory;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An OpenID Connect issuer: its discovery document, its keys, and tokens that it signs. */
public final class TestIssuer implements AutoCloseable {
  public static final String AUDIENCE = "waybill";

  /** The client that browsers log in with, and its secret. */
  public static final String CLIENT = "shop-relay:c0nfidential";

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger questions = new AtomicInteger();
  private final Map<String, Allowed> codes = new ConcurrentHashMap<>();
  private volatile List<JWK> keys;
  private volatile CountDownLatch answers = new CountDownLatch(0);

  private TestIssuer(int port) throws IOException, JOSEException {
    this.keys = List.of(key("first"));
    this.server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.createContext("/realm/.well-known/openid-configuration", this::discovery);
    server.createContext("/realm/keys", this::keys);
    server.createContext("/realm/token", this::exchange);
    server.setExecutor(threads);
    server.start();
  }

  public static TestIssuer start() throws Exception {
    return new TestIssuer(0);
  }

  /** At a port that somebody knows already. */
  static TestIssuer start(int port) throws Exception {
    return new TestIssuer(port);
  }

  static JWK key(String id) throws JOSEException {
    return new RSAKeyGenerator(2048).keyID(id).generate();
  }

  /** What it signs with. */
  JWK key() {
    return keys.get(0);
  }

  public String name() {
    return name(server.getAddress().getPort());
  }

  static String name(int port) {
    return "http://127.0.0.1:" + port + "/realm";
  }

  /** How often keys have been asked for. */
  int questions() {
    return questions.get();
  }

  /** Signs with another key from now on. */
  void rotate(JWK next) {
    keys = List.of(next);
  }

  /** Takes questions and answers none until the returned latch is counted down. */
  CountDownLatch hang() {
    answers = new CountDownLatch(1);
    return answers;
  }

  /** A token of a user with roles at the top. */
  String token(String user, String... roles) throws Exception {
    return token(claims -> claims.claim("preferred_username", user).claim("roles", roles));
  }

  /** A right token, unless it is changed. */
  String token(Consumer<JWTClaimsSet.Builder> changes) throws Exception {
    return token(key(), JWSAlgorithm.RS256, JOSEObjectType.JWT, changes);
  }

  String token(
      JWK key, JWSAlgorithm algorithm, JOSEObjectType type, Consumer<JWTClaimsSet.Builder> changes)
      throws Exception {
    Instant now = Instant.now();
    JWTClaimsSet.Builder claims =
        new JWTClaimsSet.Builder()
            .issuer(name())
            .subject("user-1")
            .audience(List.of("account", AUDIENCE))
            .issueTime(Date.from(now.minusSeconds(600)))
            .expirationTime(Date.from(now.plusSeconds(300)));
    changes.accept(claims);
    SignedJWT token =
        new SignedJWT(
            new JWSHeader.Builder(algorithm).type(type).keyID(key.getKeyID()).build(),
            claims.build());
    token.sign(new DefaultJWSSignerFactory().createJWSSigner(key, algorithm));
    return token.serialize();
  }

  private void discovery(HttpExchange exchange) throws IOException {
    answer(
        exchange,
        JSONObjectUtils.toJSONString(
            Map.of(
                "issuer",
                name(),
                "jwks_uri",
                name() + "/keys",
                "authorization_endpoint",
                name() + "/authorize",
                "token_endpoint",
                name() + "/token",
                "subject_types_supported",
                List.of("public"),
                "response_types_supported",
                List.of("code"))));
  }

  /** Logs a user in; what the browser is to bring back is the query of the returned address. */
  public String allow(String request, String user, String... roles) {
    Map<String, String> asked = form(request.substring(request.indexOf('?') + 1));
    String code = UUID.randomUUID().toString();
    codes.put(code, new Allowed(asked, user, roles));
    return "?code=%s&state=%s"
        .formatted(code, URLEncoder.encode(asked.getOrDefault("state", ""), UTF_8));
  }

  private record Allowed(Map<String, String> asked, String user, String[] roles) {}

  private static Map<String, String> form(String text) {
    return Stream.of(text.split("&"))
        .map(each -> each.split("=", 2))
        .collect(
            Collectors.toMap(
                each -> URLDecoder.decode(each[0], UTF_8),
                each -> URLDecoder.decode(each[1], UTF_8)));
  }

  /** A code, for who has its verifier. */
  private void exchange(HttpExchange exchange) throws IOException {
    Map<String, String> given = form(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
    Allowed allowed = codes.remove(given.get("code"));
    String client = exchange.getRequestHeaders().getFirst("Authorization");
    try {
      byte[] verifier = given.getOrDefault("code_verifier", "").getBytes(UTF_8);
      String challenge =
          Base64.getUrlEncoder()
              .withoutPadding()
              .encodeToString(MessageDigest.getInstance("SHA-256").digest(verifier));
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      if (allowed == null
          || !("Basic " + Base64.getEncoder().encodeToString(CLIENT.getBytes(UTF_8))).equals(client)
          || !challenge.equals(allowed.asked.get("code_challenge"))
          || !Objects.equals(allowed.asked.get("redirect_uri"), given.get("redirect_uri"))) {
        exchange.sendResponseHeaders(400, 0);
        exchange.getResponseBody().write("{\"error\":\"invalid_grant\"}".getBytes(UTF_8));
        exchange.close();
        return;
      }
      String id =
          token(
              claims ->
                  claims
                      .audience("shop-relay")
                      .claim("nonce", allowed.asked.get("nonce"))
                      .claim("azp", "shop-relay"));
      answer(
          exchange,
          JSONObjectUtils.toJSONString(
              Map.of(
                  "access_token",
                  token(allowed.user, allowed.roles),
                  "id_token",
                  id,
                  "token_type",
                  "Bearer",
                  "expires_in",
                  300)));
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  private void keys(HttpExchange exchange) throws IOException {
    questions.incrementAndGet();
    answer(exchange, new JWKSet(keys).toString());
  }

  private void answer(HttpExchange exchange, String body) throws IOException {
    try {
      answers.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    byte[] bytes = body.getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    answers.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
