package io.waybill.server.relay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What the log has of a token when it says all it can. */
@Tag("long")
class TokenLogTest {
  private static final List<Logger> TALKATIVE =
      List.of(logger("org.springframework.security"), logger("io.waybill"));

  @TempDir private Path folder;

  private static Logger logger(String name) {
    return (Logger) LoggerFactory.getLogger(name);
  }

  private static String text(ILoggingEvent event) {
    IThrowableProxy thrown = event.getThrowableProxy();
    return event.getFormattedMessage()
        + (thrown == null ? "" : ThrowableProxyUtil.asString(thrown));
  }

  @Test
  void neitherTheTokenNorItsClaims() throws Exception {
    ListAppender<ILoggingEvent> appender = new ListAppender<>();
    appender.start();
    try (TestIssuer issuer = TestIssuer.start();
        ServedApi api = ServedApi.start(folder, ServedApi.issuer(issuer.name()))) {
      TALKATIVE.forEach(each -> each.setLevel(Level.TRACE));
      TALKATIVE.forEach(each -> each.addAppender(appender));
      String right =
          issuer.token(claims -> claims.claim("email", "alice@example.com").claim("secret", "x7q"));
      String wrong = right.substring(0, right.length() - 8) + "AAAAAAAA";
      String forOthers =
          issuer.token(claims -> claims.audience("elsewhere").claim("secret", "x7q"));
      assertThat(api.bearer(right, "/api/v1/outboxes").statusCode()).isEqualTo(200);
      assertThat(api.bearer(wrong, "/api/v1/outboxes").statusCode()).isEqualTo(401);
      assertThat(api.bearer(forOthers, "/api/v1/outboxes").statusCode()).isEqualTo(401);

      String log =
          List.copyOf(appender.list).stream()
              .map(TokenLogTest::text)
              .collect(Collectors.joining("\n"));
      assertThat(log)
          .contains("Set SecurityContextHolder")
          .doesNotContain("alice@example.com", "x7q", "elsewhere");
      for (String token : List.of(right, wrong, forOthers)) {
        assertThat(List.of(token.split("\\.", -1)).subList(1, 3))
            .allSatisfy(part -> assertThat(log).doesNotContain(part));
      }
    } finally {
      TALKATIVE.forEach(each -> each.detachAppender(appender));
      TALKATIVE.forEach(each -> each.setLevel(null));
    }
  }
}
