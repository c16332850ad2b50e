package io.waybill.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waybill.Rows;
import io.waybill.message.Headers;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TemplateTest {
  private static final Headers HEADERS = Headers.of(Map.of("tenant", "Acme Inc", "empty", ""));

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      quoteCharacter = '`',
      value = {
        "orders # orders",
        "{eventType} # order.placed",
        "{eventType}-out-0 # order.placed-out-0",
        "notification.{aggregateType|lower} # notification.order",
        "{aggregateType|upper} # ORDER",
        "{ aggregateType | lower }.{aggregateId} # order.42",
        "v{eventVersion} # v2",
        "{eventId}/{correlationId}/{causationId} # e-1/corr-1/cause-1",
        "{contentType} # application/json",
        "{header.tenant|kebab} # acme-inc",
        "{header.tenant|snake|upper} # ACME_INC",
        "{header.empty}x # x",
        "{{{eventId}}} # {e-1}",
        "}}{{ # }{",
        "`` # ``"
      })
  void fillsInFields(String template, String text) {
    assertThat(Template.parse(template).render(Rows.placed().row(), HEADERS)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "OrderPlaced, order-placed, order_placed",
    "RESERVATION_REQUESTED, reservation-requested, reservation_requested",
    "HTTPServerStarted, http-server-started, http_server_started",
    "order.itemAdded.v1, order.item-added.v1, order.item_added.v1",
    "order-Placed, order-placed, order_placed",
    "step2Done, step2-done, step2_done",
    "a__b, a-b, a_b",
    "_a_, a, a",
    "plain, plain, plain"
  })
  void partsWords(String type, String kebab, String snake) {
    var row = Rows.placed().type(type).row();

    assertThat(Template.parse("{eventType|kebab}").render(row, HEADERS)).isEqualTo(kebab);
    assertThat(Template.parse("{eventType|snake}").render(row, HEADERS)).isEqualTo(snake);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      value = {
        "a.{eventType ; has an unclosed brace at position 2",
        "a} ; has a closing brace without an opening one at position 1",
        "{} ; names the unknown field \"\"; there are eventId, eventType,",
        "{payload} ; names the unknown field \"payload\"",
        "{header.} ; names the unknown field \"header.\"",
        "{eventtype} ; names the unknown field \"eventtype\"",
        "{T(Runtime).exec} ; names the unknown field"
      })
  void saysWhatIsWrong(String line) {
    refused(line);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      value = {
        "{eventType|trim} ; names the unknown function \"trim\"; there are lower, upper, kebab, snake",
        "{eventType|} ; names the unknown function \"\"",
        "{eventType|lower|UPPER} ; names the unknown function \"UPPER\""
      })
  void saysWhichFunctionIsWrong(String line) {
    refused(line);
  }

  private static void refused(String line) {
    int cut = line.indexOf(" ; ");
    String template = line.substring(0, cut);

    assertThatExceptionOfType(InvalidRouteException.class)
        .isThrownBy(() -> Template.parse(template))
        .withMessageContaining("Template \"" + template + "\"")
        .withMessageContaining(line.substring(cut + 3));
  }
}
