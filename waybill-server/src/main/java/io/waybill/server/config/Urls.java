package io.waybill.server.config;

import java.util.regex.Pattern;

/** Addresses as they may be shown. */
final class Urls {
  private static final Pattern USER_INFO = Pattern.compile("//[^/?]*@");

  private Urls() {}

  /** The address without user, password and parameters. */
  static String mask(String url) {
    String shown = USER_INFO.matcher(url).replaceAll("//***@");
    int query = shown.indexOf('?');
    return query < 0 ? shown : shown.substring(0, query) + "?***";
  }
}
