package io.waybill.inbox;

import io.waybill.handler.PayloadReader;
import io.waybill.handler.PermanentException;
import io.waybill.message.ReceivedEvent;

/** Reads payloads; one that can't be read today can't be read tomorrow. */
final class Payloads {
  private Payloads() {}

  static <T> T read(PayloadReader<? extends T> reader, ReceivedEvent event) {
    try {
      return reader.read(event.payload());
    } catch (Exception e) {
      throw new PermanentException(
          "payload of type " + event.type() + " can't be read: " + e.getClass().getName(), e);
    }
  }
}
