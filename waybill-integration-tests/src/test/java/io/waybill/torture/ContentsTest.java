package io.waybill.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.oracle.Spy;
import io.waybill.torture.Planned.Content;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ContentsTest {
  private static final Map<String, String> HEADERS = Map.of("tenant", "north");

  private static String delivered(byte[] body, String type, Map<String, String> own) {
    Map<String, String> headers = new HashMap<>(own);
    headers.putAll(
        Map.of("waybill-event-id", "e", "waybill-aggregate-id", "7", "content-type", type));
    return OwnTable.hash(new Spy.Message("e", "7", headers, body, 0));
  }

  @Test
  void payloadsAreFromNothingTo900KilobytesAndSomeAreOdd() {
    Contents contents = new Contents("canary", false);
    SplittableRandom random = new SplittableRandom(1);
    List<Integer> sizes =
        IntStream.range(0, 5_000)
            .map(
                i -> {
                  byte[] payload = contents.next(random, 1, i).payload();
                  return payload == null ? -1 : payload.length;
                })
            .boxed()
            .toList();

    assertThat(sizes).contains(-1, 0, 1);
    assertThat(sizes).anyMatch(size -> size > 890_000).noneMatch(size -> size > 900_000);
    assertThat(sizes).filteredOn(size -> size < 1_000).hasSizeGreaterThan(4_500);
  }

  @Test
  void aCopyHasTheHashOfTheEventOnlyIfNothingWasChanged() {
    byte[] payload = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);
    byte[] changed = "{\"a\":2}".getBytes(StandardCharsets.UTF_8);
    String json = "application/json";
    String written =
        new Planned("e", 7, 1, new Content(payload, json, HEADERS)).ledgerRow().sha256();

    assertThat(delivered(payload, json, HEADERS)).isEqualTo(written);
    assertThat(delivered(changed, json, HEADERS)).isNotEqualTo(written);
    assertThat(delivered(payload, "text/plain", HEADERS)).isNotEqualTo(written);
    assertThat(delivered(payload, json, Map.of())).isNotEqualTo(written);
    assertThat(delivered(payload, json, Map.of("tenant", "south"))).isNotEqualTo(written);
  }

  @Test
  void whatTheBrokerAddsToARedeliveryIsNoChange() {
    byte[] payload = "{}".getBytes(StandardCharsets.UTF_8);
    String json = "application/json";

    assertThat(delivered(payload, json, Map.of("x-delivery-count", "1")))
        .isEqualTo(delivered(payload, json, Map.of()));
  }

  @Test
  void theDocumentedMessageCarriesThePayloadAsItWasWritten() {
    byte[] payload = "{\"a\":1.10,\"a\":2}".getBytes(StandardCharsets.UTF_8);
    String written =
        new Planned("e", 7, 1, new Content(payload, "application/json", Map.of()))
            .ledgerRow()
            .sha256();
    String message =
        """
        {"event_id":"e","event_type":"t","aggregate_type":"A","aggregate_id":7,"payload":%s}""";

    assertThat(documented(message.formatted("{\"a\":1.10,\"a\":2}"))).isEqualTo(written);
    assertThat(documented(message.formatted("{\"a\":1.1,\"a\":2}"))).isNotEqualTo(written);
    assertThat(documented("{}")).isEqualTo("not the documented message");
  }

  private static String documented(String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return NotificationTable.hash(new Spy.Message("e", "", Map.of(), bytes, 0));
  }
}
