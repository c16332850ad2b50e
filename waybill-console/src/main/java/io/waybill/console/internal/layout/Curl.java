package io.waybill.console.internal.layout;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.spring.internal.api.ApiRequestHandler;
import java.net.URLEncoder;
import java.util.stream.Collectors;
import org.springframework.web.util.UriUtils;

/**
 * Questions of pages as commands for a shell. Values are encoded as in an address, which leaves
 * nothing that a shell would read between double quotes.
 */
public final class Curl {
  private Curl() {}

  /**
   * The command that asks the same. It has neither the address of this server, which a proxy may
   * have changed, nor a login: variables of the shell have them.
   *
   * @param outbox name of the outbox
   * @param question what was asked
   */
  public static String of(String outbox, Visit.Question question) {
    String query =
        question.parameters().entrySet().stream()
            .flatMap(
                each ->
                    each.getValue().stream()
                        .map(value -> each.getKey() + "=" + URLEncoder.encode(value, UTF_8)))
            .collect(Collectors.joining("&"));
    return "curl -H \"Authorization: Bearer $WAYBILL_TOKEN\" \"$WAYBILL_URL%s/outboxes/%s%s%s\""
        .formatted(
            ApiRequestHandler.PATH,
            UriUtils.encode(outbox, UTF_8),
            question.path(),
            query.isEmpty() ? "" : "?" + query);
  }
}
