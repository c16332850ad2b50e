package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.it.Inbox.Arrived;
import io.waybill.message.Event;
import io.waybill.message.EventKey;
import io.waybill.message.EventLimits;
import io.waybill.message.Header;
import io.waybill.message.Payload;
import io.waybill.outbox.Outbox;
import io.waybill.outbox.PostgresAppend;
import io.waybill.outbox.RelaySignal;
import io.waybill.proof.server.PostgresServer;
import io.waybill.testkit.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the write API lets through of the bad-input catalogue, from the append to the consumer: byte
 * for byte.
 */
@Tag("server")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class BadInputContract {
  private static final Duration PATIENCE = Patience.of(Duration.ofMinutes(1));
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  private static final Outbox OUTBOX =
      new Outbox(PostgresAppend.ofDefaults(), EventLimits.ofDefaults(), RelaySignal.NONE);

  private PostgresServer postgres;
  private BrokerUnderTest broker;
  private World world;
  private Inbox inbox;

  abstract BrokerUnderTest launchBroker();

  @BeforeAll
  void launch() {
    postgres = PostgresServer.launch();
    broker = launchBroker();
    world = new World(postgres, broker, "bad_input");
    world.configure("retry: {attempts: 1}");
    world.relay("a");
    inbox = broker.inbox(world.type());
  }

  @AfterAll
  void close() {
    inbox.close();
    world.close();
    broker.close();
    postgres.close();
  }

  /** From an event type to an event. */
  private interface Made {
    Event of(String type);
  }

  static Stream<Made> carried() {
    return Stream.of(payloads(), keys(), headers()).flatMap(each -> each);
  }

  private static Stream<Made> payloads() {
    byte[] random = new byte[70_000];
    new Random(1).nextBytes(random);
    byte[] everyByte = new byte[256];
    IntStream.range(0, 256).forEach(i -> everyByte[i] = (byte) i);
    Stream<Payload> bytes =
        Stream.of(
                new byte[0],
                new byte[] {0},
                everyByte,
                random,
                new byte[999_999],
                new byte[1_000_000],
                new byte[] {(byte) 0xc0, (byte) 0xaf},
                new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80})
            .map(content -> Payload.of(content, Payload.BYTES));
    Stream<Payload> json =
        Stream.of(
                "{\"a\":\"\\u0000\"}",
                "{\"a\":\"\\ud800\"}",
                "{\"b\":1,\"a\":1.10,\"a\":2}",
                "1e400000",
                "NaN",
                " {\"a\" : \"\ud83d\ude00\u00e9\\/\" }\r\n",
                "[".repeat(7_000),
                "[" + "0,".repeat(400_000) + "0]",
                "\"<script>alert('x')</script> =cmd|' /C calc'!A0 \u001b[31m\r\nforged: line\"",
                "'; drop table waybill_outbox; --")
            .map(Payload::json);
    return Stream.concat(Stream.concat(bytes, json), Stream.of(Payload.tombstone()))
        .map(payload -> type -> Event.builder(type, "order", "1").payload(payload).build());
  }

  private static Stream<Made> keys() {
    Stream<EventKey> keys =
        Stream.of(
            new EventKey("<script>alert(1)</script>", "\ud83d\ude00\u00e9"),
            new EventKey("order", "' or 1=1 --"),
            new EventKey("order", "=cmd|' /C calc'!A0"),
            new EventKey("order", "k".repeat(255)),
            new EventKey("a/b", "c/d"),
            new EventKey(" ", " "));
    return Stream.concat(
        Stream.of(type -> Event.builder(type).json("{}").build()),
        keys.map(
            key ->
                type ->
                    Event.builder(type, key.aggregateType(), key.aggregateId())
                        .json("{}")
                        .build()));
  }

  private static Stream<Made> headers() {
    return Stream.of(
        type -> {
          Event.Builder event = Event.builder(type, "order", "1").json("{}");
          IntStream.range(0, 100).forEach(i -> event.header("h" + i, ""));
          return event.build();
        },
        type ->
            Event.builder(type, "order", "1")
                .json("{}")
                .header("tenant", "gr\u00fc\u00dfe \"\ud83d\ude00\" \\ {NULL} <b>")
                .header("Tenant", "")
                .header("long", "x".repeat(8_192))
                .build(),
        type ->
            Event.builder(type, "order", "1")
                .payload(Payload.of(new byte[1], "application/vnd.acme+json; charset=utf-8"))
                .version(Integer.MAX_VALUE)
                .correlationId("NULL")
                .causationId("\"' --")
                .traceparent(TRACE)
                .build());
  }

  @ParameterizedTest
  @MethodSource
  void carried(Made made) {
    Event event = made.of(world.type());
    world.execute(
        connection -> {
          connection.setAutoCommit(false);
          OUTBOX.append(connection, event);
          connection.commit();
        });

    Arrived arrived = arrival(event.id());
    assertThat(arrived.body()).isEqualTo(event.payload().bytes());
    Map<String, String> headers = new HashMap<>(arrived.headers());
    assertThat(headers.remove("waybill-created-at")).isNotNull();
    assertThat(headers).isEqualTo(expected(event));
  }

  private static Map<String, String> expected(Event event) {
    Map<String, String> headers = new HashMap<>();
    headers.put(Inbox.ID, event.id());
    headers.put("waybill-event-type", event.type());
    headers.put("waybill-event-version", "" + event.version());
    headers.put("content-type", event.payload().contentType());
    EventKey key = event.key();
    if (key != null) {
      headers.put("waybill-aggregate-type", key.aggregateType());
      headers.put("waybill-aggregate-id", key.aggregateId());
    }
    if (event.traceparent() != null) {
      headers.put("waybill-correlation-id", String.valueOf(event.correlationId()));
      headers.put("waybill-causation-id", String.valueOf(event.causationId()));
      headers.put("traceparent", event.traceparent());
    }
    for (Header header : event.headers().list()) {
      headers.put(header.name(), header.value());
    }
    return headers;
  }

  private Arrived arrival(String id) {
    List<Arrived> all = new ArrayList<>();
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .untilAsserted(
            () -> {
              all.addAll(inbox.take());
              assertThat(all).as(world.logs()).anyMatch(each -> isOf(each, id));
            });
    return all.stream().filter(each -> isOf(each, id)).findFirst().orElseThrow();
  }

  private static boolean isOf(Arrived arrived, String id) {
    return id.equals(arrived.headers().get(Inbox.ID));
  }

  /** Times that only somebody with all privileges can write. */
  @ParameterizedTest
  @CsvSource({
    "infinity, ",
    "-infinity, ",
    "0001-01-01 00:00:00+00 BC, ",
    "0001-01-01 00:00:00+00, ",
    "epoch, ",
    "9999-12-31 23:59:59.999999+00, ",
    "epoch, -infinity",
    "epoch, 0001-01-01 00:00:00+00 BC",
    "epoch, infinity",
  })
  void timesAreCarriedOrSetAsideAndNeverStick(String createdAt, String availableAt) {
    String id = "t" + System.nanoTime();
    world.execute(
        connection -> {
          try (var insert =
              connection.prepareStatement(
                  """
                  insert into waybill_outbox
                    (event_id, event_type, payload, created_at, available_at)
                  values (?, ?, 'x', cast(? as timestamptz), cast(? as timestamptz)), (?, ?, 'x',
                    now(), null)""")) {
            insert.setString(1, id);
            insert.setString(2, world.type());
            insert.setString(3, createdAt);
            insert.setString(4, availableAt);
            insert.setString(5, id + "-next");
            insert.setString(6, world.type());
            insert.executeUpdate();
          }
        });

    List<String> arrived = new ArrayList<>();
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .untilAsserted(
            () -> {
              inbox.take().forEach(each -> arrived.add(each.headers().get(Inbox.ID)));
              assertThat(arrived).as(world.logs()).contains(id + "-next");
              boolean settled =
                  arrived.contains(id)
                      || world.withStatus("PARKED").contains(id)
                      || "infinity".equals(availableAt);
              assertThat(settled).as("%s is carried or parked: %s", id, world.logs()).isTrue();
            });
  }
}
