package io.waybill.message;

import io.waybill.internal.text.Quoted;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The rules of headers. */
final class HeaderRules {
  // What brokers and frameworks act on: routing to further queues (cc, bcc), choice of classes to
  // deserialise (__TypeId__ and its like), death counts; and what Waybill sets itself.
  private static final Set<String> RESERVED =
      Set.of("cc", "bcc", "content-type", "contenttype", "traceparent", "x-received-from");
  private static final List<String> RESERVED_PREFIXES =
      List.of(
          "waybill-",
          "ce_",
          "cloudevents:",
          "cloudevents_",
          "__",
          "spring_",
          "spring.cloud.",
          "springdeserializerexception",
          "kafka_",
          "amqp_",
          "x-death",
          "x-first-death-",
          "x-last-death-",
          "x-opt-",
          "x-acquired-count",
          "x-delivery-count");
  private static final String PUNCTUATION = "!#$%&'*+-.^_`|~:/";

  private final EventLimits limits;
  private final Violations found;

  HeaderRules(EventLimits limits, Violations found) {
    this.limits = limits;
    this.found = found;
  }

  void check(Headers headers) {
    List<Header> list = headers.list();
    if (list.isEmpty()) {
      return;
    }
    if (list.size() > limits.maxHeaders()) {
      String count = list.size() + " headers";
      found.add("headers", "must be at most " + limits.maxHeaders(), count);
      return;
    }
    Set<String> names = new HashSet<>();
    long total = 0;
    for (Header header : list) {
      if (!names.add(header.name())) {
        found.add("header name", "must not repeat", header.name());
      }
      // Checked by the rules of its standard, which no limit on headers may cut.
      if (!header.name().equals(TraceContext.TRACESTATE)) {
        total += name(header.name()) + value(header);
      }
    }
    if (total > limits.maxHeadersBytes()) {
      String rule = "must be at most " + limits.maxHeadersBytes() + " bytes in all";
      found.add("headers", rule, total + " bytes");
    }
  }

  private int name(String name) {
    if (!isToken(name)) {
      found.add("header name", "must be 1 to 128 of A-Z a-z 0-9 " + PUNCTUATION, name);
    } else if (isReserved(name.toLowerCase(Locale.ROOT))) {
      found.add(
          "header name", "must not be one that brokers, frameworks or Waybill interpret", name);
    }
    return name.length();
  }

  private int value(Header header) {
    String field = "header " + Quoted.of(header.name());
    return found.text(field, header.value(), limits.maxHeaderValueBytes());
  }

  private static boolean isToken(String name) {
    if (name.isEmpty() || name.length() > EventLimits.MAX_HEADER_NAME_LENGTH) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      if (!isTokenCharacter(name.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isTokenCharacter(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || PUNCTUATION.indexOf(c) >= 0;
  }

  private static boolean isReserved(String lower) {
    for (String prefix : RESERVED_PREFIXES) {
      if (lower.startsWith(prefix)) {
        return true;
      }
    }
    return RESERVED.contains(lower);
  }
}
