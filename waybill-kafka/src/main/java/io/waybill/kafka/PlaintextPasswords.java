package io.waybill.kafka;

import io.waybill.internal.text.Loopback;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds settings that send a password or a token to another machine in plaintext. SCRAM is not
 * among them: it proves the password and does not send it.
 */
final class PlaintextPasswords {
  private static final Set<String> SENDING = Set.of("PLAIN", "OAUTHBEARER");

  private PlaintextPasswords() {}

  /** Whether all servers are this machine. */
  static boolean stayHere(String bootstrapServers) {
    return Arrays.stream(bootstrapServers.split(",", -1)).allMatch(Loopback::isAddress);
  }

  /** The errors, one sentence each: property, rule, value. */
  static List<String> check(String bootstrapServers, Map<String, String> properties) {
    List<String> errors = new ArrayList<>();
    String mechanism = properties.getOrDefault("sasl.mechanism", "");
    boolean isOpen = "SASL_PLAINTEXT".equals(properties.get("security.protocol"));
    if (isOpen && SENDING.contains(mechanism) && !stayHere(bootstrapServers)) {
      errors.add(
          ("security.protocol: must be SASL_SSL, or %s would send its password or token to %s in"
                  + " plaintext; allowPlaintextPasswords allows it: SASL_PLAINTEXT")
              .formatted(mechanism, bootstrapServers));
    }
    String endpoint = properties.getOrDefault(BearerTokens.ENDPOINT, "");
    if (sendsOpenly(endpoint)) {
      errors.add(
          BearerTokens.ENDPOINT
              + ": must be https://, or the client secret would cross the network in plaintext;"
              + " allowPlaintextPasswords allows it: "
              + endpoint);
    }
    return errors;
  }

  private static boolean sendsOpenly(String endpoint) {
    try {
      URI uri = URI.create(endpoint);
      String host = uri.getHost();
      return "http".equalsIgnoreCase(uri.getScheme()) && (host == null || !Loopback.isHost(host));
    } catch (IllegalArgumentException e) {
      // No address at all: the client says so.
      return false;
    }
  }
}
