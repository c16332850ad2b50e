package io.waybill.kafka;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.security.auth.login.AppConfigurationEntry;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.JaasContext;
import org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule;
import org.apache.kafka.common.security.plain.PlainLoginModule;
import org.apache.kafka.common.security.scram.ScramLoginModule;

/**
 * Checks {@code sasl.jaas.config}. A login module is a class that the client loads and runs with
 * options of choice, so only those that come with the client are allowed. The text is read by the
 * client's own parser: what is checked is what would run.
 */
final class LoginModules {
  private static final Set<String> ALLOWED =
      Set.of(
          PlainLoginModule.class.getName(),
          ScramLoginModule.class.getName(),
          OAuthBearerLoginModule.class.getName());

  private LoginModules() {}

  /** The errors; none quotes the text, which holds a password. */
  static List<String> check(String jaasConfig) {
    List<String> errors = new ArrayList<>();
    try {
      Map<String, Object> configs = Map.of("sasl.jaas.config", new Password(jaasConfig));
      for (AppConfigurationEntry entry :
          JaasContext.loadClientContext(configs).configurationEntries()) {
        if (!ALLOWED.contains(entry.getLoginModuleName())) {
          errors.add(refusal(entry.getLoginModuleName()));
        }
      }
    } catch (IllegalArgumentException | KafkaException | SecurityException unreadable) {
      errors.add(
          "sasl.jaas.config: must be one of the login modules "
              + ALLOWED.stream().sorted().toList()
              + ", a control flag and options, ended by ';'");
    }
    return errors;
  }

  private static String refusal(String module) {
    return "sasl.jaas.config: login module must be one of "
        + ALLOWED.stream().sorted().toList()
        + ": "
        + module;
  }
}
