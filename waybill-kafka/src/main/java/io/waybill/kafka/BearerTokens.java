package io.waybill.kafka;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler;
import org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule;

/**
 * OAUTHBEARER: what Kafka's client needs beside its properties, and what follows from them. Without
 * it no client can be made, and the client's error says neither what is missing nor where.
 */
final class BearerTokens {
  static final String ENDPOINT = "sasl.oauthbearer.token.endpoint.url";

  /** Which endpoints the clients of this JVM may ask, separated by commas; by default none. */
  static final String ALLOWED = "org.apache.kafka.sasl.oauthbearer.allowed.urls";

  private static final String LOGIN = "sasl.jaas.config";
  private static final String JSON = "com.fasterxml.jackson.databind.ObjectMapper";

  private BearerTokens() {}

  /** The errors, one sentence each: property, rule, value. */
  static List<String> check(Map<String, String> properties, ClassLoader loader) {
    if (!"OAUTHBEARER".equals(properties.get("sasl.mechanism"))) {
      return List.of();
    }
    List<String> errors = new ArrayList<>();
    if (!isPresent(JSON, loader)) {
      errors.add(
          "sasl.mechanism: needs com.fasterxml.jackson.core:jackson-databind on the class path,"
              + " because Kafka's client reads tokens with it but does not include it:"
              + " OAUTHBEARER");
    }
    String endpoint = properties.get(ENDPOINT);
    if (endpoint == null) {
      if (!properties.containsKey(LOGIN)) {
        errors.add(ENDPOINT + ": must be given for OAUTHBEARER");
      }
    } else if (!allowed().contains(endpoint)) {
      errors.add(
          "%s: must be among the addresses that Kafka's client may ask, so start Java with -D%s=%s"
              .formatted(ENDPOINT, ALLOWED, endpoint));
    }
    return errors;
  }

  private static List<String> allowed() {
    return Arrays.stream(System.getProperty(ALLOWED, "").split(",", -1))
        .map(String::strip)
        .toList();
  }

  private static boolean isPresent(String type, ClassLoader loader) {
    try {
      Class.forName(type, false, loader);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** Where an endpoint gives tokens, nothing else has to be said. */
  static void complete(Map<String, Object> all) {
    if (all.containsKey(ENDPOINT)) {
      all.put("sasl.login.callback.handler.class", OAuthBearerLoginCallbackHandler.class);
      all.putIfAbsent(LOGIN, OAuthBearerLoginModule.class.getName() + " required;");
    }
  }
}
