package io.waybill.bench.child;

import io.waybill.bench.load.Payloads;
import io.waybill.bench.load.Published;
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
            new Wire.Message(names.get(key), body, ID, Published.TYPE, headers.get(key)),
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
      headers.add(Published.headers(ID, key));
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
