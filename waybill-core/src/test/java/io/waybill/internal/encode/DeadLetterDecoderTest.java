package io.waybill.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Delivery;
import io.waybill.broker.Outgoing;
import io.waybill.message.Destination;
import io.waybill.message.Header;
import io.waybill.message.Headers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeadLetterDecoderTest {
  private static final byte[] KEY = {'k'};
  private static final Instant NOW = Instant.parse("2026-11-23T01:02:03.004Z");
  private static final Headers HEADERS =
      new Headers(
          List.of(
              new Header("waybill-event-id", "e1"),
              new Header("waybill-event-type", "placed"),
              new Header("content-type", "application/vnd.shop"),
              new Header("tenant", "red")));

  private final DeadLetterDecoder decoder = new DeadLetterDecoder();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{ \"n\" : 1.50, \"a\":[1,{}] }",
        "\"text \\\" \\u00e9\"",
        "17.0",
        "true",
        " null ",
        " {\"spaced\": 1}\r\n",
        "\n[1]",
        "2\t",
        "no JSON at all",
        "{\"half\":",
        "",
        "\u00e9\u0000/+"
      })
  void theOriginalIsMadeAgainByteForByte(String text) {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    DeadLetter letter = decoder.decode(letter(body));
    assertThat(original(letter).body()).isEqualTo(body);
    assertThat(original(letter).headers().list()).containsExactlyElementsOf(HEADERS.list());
    assertThat(original(letter).contentType()).isEqualTo("application/vnd.shop");
  }

  @ParameterizedTest
  @ValueSource(ints = {499, 501, 1000, 1001})
  void anOriginalIsReadBackHoweverDeepItIs(int depth) {
    byte[] body = ("[".repeat(depth) + "]".repeat(depth)).getBytes(StandardCharsets.UTF_8);
    assertThat(original(decoder.decode(letter(body))).body()).isEqualTo(body);
  }

  @Test
  void longNumbersAndStringsAreReadBack() {
    byte[] body =
        ("{\"n\":" + "7".repeat(5_000) + ",\"" + "x".repeat(60_000) + "\":1}")
            .getBytes(StandardCharsets.UTF_8);
    assertThat(original(decoder.decode(letter(body))).body()).isEqualTo(body);
  }

  @Test
  void anEnvelopeIsDecodedHoweverDeepItsDataIs() {
    String data = "[".repeat(1000) + "]".repeat(1000);
    String envelope = "{\"eventId\":\"e1\",\"eventType\":\"placed\",\"data\":" + data + "}";
    Decoded decoded =
        new Decoder()
            .decode("orders", KEY, envelope.getBytes(StandardCharsets.UTF_8), Headers.NONE, 0);
    assertThat(((Decoded.Event) decoded).event().payload().bytes())
        .isEqualTo(data.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void whiteSpaceThatAWriterPutAroundTheOriginalIsNotPartOfIt() {
    String spaced =
        "{\"eventId\": \"e1\", \"originalEvent\": {\"a\": 1} , \"errorMessage\": \"no\"}";
    DeadLetter letter =
        decoder.decode(delivery(spaced.getBytes(StandardCharsets.UTF_8), Headers.NONE));
    assertThat(original(letter).body()).isEqualTo("{\"a\": 1}".getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aMissingContentTypeStaysMissing() {
    Headers bare = Headers.of(Map.of("waybill-event-id", "e1", "waybill-event-type", "placed"));
    DeadLetter letter = decoder.decode(letter(new byte[] {'1'}, bare));
    assertThat(original(letter).contentType()).isEmpty();
    assertThat(original(letter).headers().list()).containsExactlyInAnyOrderElementsOf(bare.list());
  }

  @Test
  void aTombstoneStaysOne() {
    assertThat(original(decoder.decode(letter(null))).body()).isNull();
  }

  @Test
  void aLetterSaysWhoGaveUpWhatAndWhy() {
    assertThat(decoder.decode(letter(new byte[] {'1'})))
        .returns("orders", DeadLetter::source)
        .returns("e1", DeadLetter::eventId)
        .returns("placed", DeadLetter::eventType)
        .returns("k", DeadLetter::key)
        .returns("payment", DeadLetter::consumer)
        .returns("permanent", DeadLetter::reason)
        .returns("no", DeadLetter::error)
        .returns("2026-11-22T00:00:00.000000Z", DeadLetter::failedAt)
        .returns(Instant.parse("2026-11-22T00:00:00Z"), DeadLetter::time)
        .returns("orders.dlt-0@7", DeadLetter::place)
        .returns(0, DeadLetter::redriven);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"eventId\":\"other\"}", " null ", "", "\u00e9\u0000/+"})
  void aRawLetterIsReadByteForByte(String text) {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    DeadLetter letter = decoder.decode(letter(body, HEADERS, DeadLetterForm.RAW));
    assertThat(original(letter).body()).isEqualTo(body);
    assertThat(original(letter).headers().list()).containsExactlyElementsOf(HEADERS.list());
    assertThat(original(letter).contentType()).isEqualTo("application/vnd.shop");
    assertThat(letter)
        .returns("orders", DeadLetter::source)
        .returns("e1", DeadLetter::eventId)
        .returns("placed", DeadLetter::eventType)
        .returns("payment", DeadLetter::consumer)
        .returns("permanent", DeadLetter::reason)
        .returns("no", DeadLetter::error)
        .returns("2026-11-22T00:00:00.000000Z", DeadLetter::failedAt)
        .returns(null, DeadLetter::missing);
    DeadLetter tombstone = decoder.decode(letter(null, HEADERS, DeadLetterForm.RAW));
    assertThat(original(tombstone).body()).isNull();
  }

  @Test
  void aLetterWithoutBodyIsNoTombstoneAndSaysWhereItsOriginalLies() {
    DeadLetter letter =
        decoder.decode(letter(new byte[] {'a', 'b', 'c'}, HEADERS, DeadLetterForm.WITHOUT_BODY));
    assertThat(letter)
        .returns(null, DeadLetter::original)
        .returns("e1", DeadLetter::eventId)
        .returns("placed", DeadLetter::eventType)
        .returns("k", DeadLetter::key)
        .returns("payment", DeadLetter::consumer)
        .returns("no", DeadLetter::error)
        .returns(
            new DeadLetter.Missing(
                3,
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                "orders-3@15"),
            DeadLetter::missing);
  }

  @Test
  void aLetterOfAnotherWriterIsReadByItsBody() {
    String body =
        """
        {"eventId":"e1","originalEvent":{"eventId":"e1","eventType":"placed","data":{}},
         "errorMessage":"no","failedAt":"2026-11-22T00:00:00Z","consumerService":"mail"}""";
    DeadLetter letter =
        decoder.decode(delivery(body.getBytes(StandardCharsets.UTF_8), Headers.NONE));
    assertThat(letter)
        .returns("orders", DeadLetter::source)
        .returns("e1", DeadLetter::eventId)
        .returns("placed", DeadLetter::eventType)
        .returns("mail", DeadLetter::consumer);
    assertThat(original(letter).body())
        .isEqualTo(
            "{\"eventId\":\"e1\",\"eventType\":\"placed\",\"data\":{}}"
                .getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nothing",
        "{}",
        "[]",
        "{\"originalEvent\":\"!\",\"originalEventEncoding\":\"base64\"}",
        "{\"originalEvent\":1,\"originalEventEncoding\":\"base64\"}"
      })
  void whatIsNoLetterHasNoOriginal(String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    assertThat(decoder.decode(delivery(bytes, Headers.NONE)).original()).isNull();
    assertThat(decoder.decode(delivery(null, Headers.NONE)).original()).isNull();
  }

  @Test
  void eachRedriveIsCounted() {
    DeadLetter letter = decoder.decode(letter(new byte[] {'1'}));
    Outgoing again =
        DeadLetterDecoder.again(
            letter, original(letter), "payment", Destination.topic("orders"), 5, NOW);
    assertThat(again.headers())
        .contains(new Header("waybill-redriven", "1"))
        .contains(new Header("waybill-redriven-for", "payment"));
    assertThat(again.key()).isEqualTo(KEY);
    assertThat(again.sendId()).isEqualTo(5);
    assertThat(again.timestampMillis()).isEqualTo(NOW.toEpochMilli());

    Delivery twice = delivery(letter.delivery().body(), new Headers(again.headers()));
    DeadLetter second = decoder.decode(twice);
    assertThat(second.redriven()).isEqualTo(1);
    assertThat(
            DeadLetterDecoder.again(
                    second, original(second), "mail", Destination.topic("orders"), 6, NOW)
                .headers())
        .filteredOn(header -> header.name().startsWith("waybill-redriven"))
        .containsExactly(
            new Header("waybill-redriven", "2"),
            new Header("waybill-redriven-for", "mail"),
            new Header("waybill-redriven-event", "e1"));
  }

  private static DeadLetter.Original original(DeadLetter letter) {
    return Objects.requireNonNull(letter.original());
  }

  private static Delivery letter(byte @Nullable [] body) {
    return letter(body, HEADERS);
  }

  private static Delivery letter(byte @Nullable [] body, Headers headers) {
    return letter(body, headers, DeadLetterForm.JSON);
  }

  private static Delivery letter(byte @Nullable [] body, Headers headers, DeadLetterForm form) {
    Decoded decoded = new Decoder().decode("orders", KEY, body, headers, 0);
    Outgoing letter =
        new DeadLetterEncoder("payment")
            .encode(
                new DeadLetterEncoder.Original(
                    "orders",
                    KEY,
                    body,
                    headers,
                    0,
                    "orders-3@15",
                    decoded instanceof Decoded.Event event ? event.event() : null),
                new DeadLetterEncoder.Verdict(
                    "permanent", "no", Instant.parse("2026-11-22T00:00:00Z")),
                form,
                Destination.topic("orders.dlt"),
                1);
    return delivery(letter.body(), new Headers(letter.headers()));
  }

  private static Delivery delivery(byte @Nullable [] body, Headers headers) {
    return new Delivery("orders.dlt", "orders.dlt-0", 7, KEY, body, headers, 0, false, 0, 7L);
  }
}
