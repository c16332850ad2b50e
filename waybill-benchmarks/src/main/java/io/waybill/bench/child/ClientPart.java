package io.waybill.bench.child;

import io.waybill.bench.load.Payloads;
import io.waybill.bench.load.Ref;
import io.waybill.bench.measure.Settings;
import io.waybill.bench.wire.BrokerKind;
import io.waybill.bench.wire.Wire;
import io.waybill.message.Header;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The broker's client alone, as fast as it takes prebuilt messages. */
final class ClientPart implements ChildMain.Part {
  private static final String TYPE = "order.placed";
  private static final String ID = "0198a3c2-7b1e-7c4d-9f10-5e2d8c7b6a90";

  @Override
  public void play(Settings settings, Control control) throws Exception {
    long events = settings.number("events");
    int keys = (int) settings.number("keys");
    List<byte[]> templates = Payloads.templates();
    List<byte[]> names = keyNames(keys);
    List<List<Header>> headers = headers(keys);
    Progress progress = new Progress(control, events);
    try (Wire wire =
        BrokerKind.of(settings.text("broker"))
            .wire(settings.text("address"), settings.text("destination"))) {
      control.readyAndAwaitGo();
      for (long i = 0; i < events; i++) {
        int key = (int) (i % keys);
        byte[] body = templates.get((int) (i % templates.size())).clone();
        Ref.put(body, Ref.of(key, i / keys));
        wire.send(
            new Wire.Message(names.get(key), body, ID, TYPE, headers.get(key)),
            () -> progress.completed(1));
      }
      wire.await();
      control.awaitStop();
    }
  }

  /** Those that Waybill sends with each of these events. */
  private static List<List<Header>> headers(int keys) {
    List<List<Header>> headers = new ArrayList<>();
    for (int key = 0; key < keys; key++) {
      headers.add(
          List.of(
              new Header("waybill-event-id", ID),
              new Header("waybill-event-type", TYPE),
              new Header("waybill-event-version", "1"),
              new Header("waybill-aggregate-type", "order"),
              new Header("waybill-aggregate-id", Integer.toString(key)),
              new Header("waybill-created-at", "2026-01-01T00:00:00.000000Z"),
              new Header("content-type", "application/json")));
    }
    return headers;
  }

  private static List<byte[]> keyNames(int keys) {
    List<byte[]> names = new ArrayList<>();
    for (int key = 0; key < keys; key++) {
      names.add(Integer.toString(key).getBytes(StandardCharsets.US_ASCII));
    }
    return names;
  }
}
