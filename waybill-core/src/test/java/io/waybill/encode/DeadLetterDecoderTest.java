package io.waybill.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Delivery;
import io.waybill.broker.Outgoing;
import io.waybill.message.Destination;
import io.waybill.message.Header;
import io.waybill.message.Headers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeadLetterDecoderTest {
  private static final byte[] KEY = {'k'};
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
        "no JSON at all",
        "{\"half\":",
        "",
        "\u00e9\u0000/+"
      })
  void theOriginalIsMadeAgainByteForByte(String text) {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    DeadLetter letter = decoder.decode(letter(body));
    assertThat(original(letter).body()).isEqualTo(body);
    assertThat(original(letter).headers().list())
        .containsExactlyInAnyOrderElementsOf(HEADERS.list());
    assertThat(original(letter).contentType()).isEqualTo("application/vnd.shop");
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
            letter, original(letter), "payment", Destination.topic("orders"), 5);
    assertThat(again.headers())
        .contains(new Header("waybill-redriven", "1"))
        .contains(new Header("waybill-redriven-for", "payment"));
    assertThat(again.key()).isEqualTo(KEY);
    assertThat(again.sendId()).isEqualTo(5);

    Delivery twice = delivery(letter.delivery().body(), new Headers(again.headers()));
    DeadLetter second = decoder.decode(twice);
    assertThat(second.redriven()).isEqualTo(1);
    assertThat(
            DeadLetterDecoder.again(
                    second, original(second), "mail", Destination.topic("orders"), 6)
                .headers())
        .filteredOn(header -> header.name().startsWith("waybill-redriven"))
        .containsExactly(
            new Header("waybill-redriven", "2"), new Header("waybill-redriven-for", "mail"));
  }

  private static DeadLetter.Original original(DeadLetter letter) {
    return Objects.requireNonNull(letter.original());
  }

  private static Delivery letter(byte @Nullable [] body) {
    Outgoing letter =
        new DeadLetterEncoder("payment")
            .encode(
                new DeadLetterEncoder.Original("orders", KEY, body, HEADERS, 0, null),
                new DeadLetterEncoder.Verdict(
                    "permanent", "no", Instant.parse("2026-11-22T00:00:00Z")),
                Destination.topic("orders.dlt"),
                1);
    return delivery(letter.body(), new Headers(letter.headers()));
  }

  private static Delivery delivery(byte @Nullable [] body, Headers headers) {
    return new Delivery("orders.dlt", "orders.dlt-0", 7, KEY, body, headers, 0, false, 0, 7L);
  }
}
