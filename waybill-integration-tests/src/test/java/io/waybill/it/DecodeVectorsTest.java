package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.internal.encode.Decoded;
import io.waybill.internal.encode.Decoder;
import io.waybill.internal.text.JsonText;
import io.waybill.message.EventKey;
import io.waybill.message.Headers;
import io.waybill.message.ReceivedEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Messages are to this inbox what the vectors of the inboxes in other languages say they are. */
class DecodeVectorsTest {
  private static final Path VECTORS = Path.of("..", "clients", "vectors", "decode.json");
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  static Stream<Arguments> vectors() throws IOException {
    return JSON.readTree(VECTORS.toFile())
        .path("cases")
        .valueStream()
        .map(vector -> Arguments.of(vector.path("name").asString(), vector));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("vectors")
  void aMessageIsWhatItsVectorSays(String name, JsonNode vector) {
    Map<String, String> headers = new LinkedHashMap<>();
    vector.path("headers").forEachEntry((header, text) -> headers.put(header, text.asString()));

    Decoded decoded = new Decoder().decode("orders", null, body(vector), Headers.of(headers), 0);

    ObjectNode said = (ObjectNode) vector.deepCopy();
    assertThat(seen(decoded)).isEqualTo(said.retain("event", "undecodable"));
  }

  private static byte @Nullable [] body(JsonNode vector) {
    if (vector.has("bodyBase64")) {
      return Base64.getDecoder().decode(vector.path("bodyBase64").asString());
    }
    return vector.has("body")
        ? vector.path("body").asString().getBytes(StandardCharsets.UTF_8)
        : null;
  }

  /** What is not there is not named. */
  private static JsonNode seen(Decoded decoded) {
    if (decoded instanceof Decoded.Event message) {
      return JSON.createObjectNode().set("event", seen(message.event()));
    }
    Decoded.Undecodable why = (Decoded.Undecodable) decoded;
    ObjectNode reason =
        JSON.createObjectNode().put("reason", why.reason()).put("message", why.detail());
    return JSON.createObjectNode().set("undecodable", reason);
  }

  private static ObjectNode seen(ReceivedEvent event) {
    ObjectNode seen =
        JSON.createObjectNode()
            .put("id", event.id())
            .put("type", event.type())
            .put("version", event.version());
    EventKey key = event.key();
    put(seen, "aggregateId", key == null ? null : key.aggregateId());
    put(seen, "correlationId", event.correlationId());
    put(seen, "traceparent", event.traceparent());
    put(seen, "traceId", event.traceId());
    if (event.redriven() > 0) {
      seen.put("redriven", event.redriven());
    }
    byte[] bytes = event.payload().bytes();
    if (bytes == null) {
      return seen;
    }
    JsonNode data = mayBeJson(event) ? json(bytes) : null;
    if (data == null) {
      seen.put("dataBase64", Base64.getEncoder().encodeToString(bytes));
    } else if (!data.isNull()) {
      seen.set("data", data);
    }
    return seen;
  }

  private static void put(ObjectNode seen, String name, @Nullable String text) {
    if (text != null) {
      seen.put(name, text);
    }
  }

  /** Where nothing says what it is, the bytes do. */
  private static boolean mayBeJson(ReceivedEvent event) {
    return event.headers().get("content-type") == null
        || JsonText.isJson(event.payload().contentType());
  }

  /** A payload's value, or null where it is no JSON. */
  private static @Nullable JsonNode json(byte[] bytes) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      JsonNode value = JSON.readTree(text);
      return value.isMissingNode() ? null : value;
    } catch (CharacterCodingException | JacksonException e) {
      return null;
    }
  }
}
