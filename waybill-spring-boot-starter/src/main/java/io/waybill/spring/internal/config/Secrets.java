package io.waybill.spring.internal.config;

import java.util.List;
import java.util.regex.Pattern;

/** What nobody may print. */
final class Secrets {
  static final String MASK = "***";

  private static final List<String> ENDS =
      List.of("password", "passphrase", "secret", "token", "apikey", "jaasconfig", "credentials");
  private static final Pattern USER_INFO = Pattern.compile("//[^/?]*@");
  private static final Pattern KEY = Pattern.compile("-----BEGIN [A-Z ]*PRIVATE KEY-----");

  private final List<String> more;

  /**
   * Secrets by their keys.
   *
   * @param more further words that keys of secrets end with
   */
  Secrets(List<String> more) {
    this.more = more.stream().map(Names::uniform).toList();
  }

  /** Whether the value of a key is one. */
  boolean is(String key, String value) {
    String uniform = Names.uniform(key);
    return ENDS.stream().anyMatch(uniform::endsWith)
        || more.stream().anyMatch(uniform::endsWith)
        || KEY.matcher(value).find();
  }

  /** A value as it may be shown. */
  String shown(String key, String value) {
    return value.isEmpty() ? "" : is(key, value) ? MASK : address(value);
  }

  /** An address without user, password and parameters; any other text as it is. */
  static String address(String value) {
    if (!value.contains("//")) {
      return value;
    }
    String shown = USER_INFO.matcher(value).replaceAll("//***@");
    int query = shown.indexOf('?');
    return query < 0 ? shown : shown.substring(0, query) + "?" + MASK;
  }
}
