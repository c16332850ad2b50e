package io.waybill.proof.sim.inbox;

import io.waybill.broker.Delivery;
import io.waybill.internal.encode.RedriveMarks;
import io.waybill.internal.inbox.ReceivedMessage;
import io.waybill.message.Header;
import io.waybill.message.Headers;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A delivery as an inbox with a mistake reads it: with another key, header or id. */
final class ChangedDelivery {
  private ChangedDelivery() {}

  static ReceivedMessage renamed(Delivery delivery, String id) {
    Delivery named =
        with(
            with(with(delivery, "waybill-event-id", id), RedriveMarks.EVENT, id),
            RedriveMarks.TIMES,
            "0");
    return new ReceivedMessage(named, InboxMutation.DECODER.decode(named));
  }

  static Delivery with(Delivery delivery, String name, String value) {
    List<Header> headers = new ArrayList<>(delivery.headers().list());
    headers.removeIf(header -> header.name().equals(name));
    headers.add(new Header(name, value));
    return copy(delivery, delivery.key(), new Headers(headers));
  }

  static Delivery copy(Delivery delivery, byte @Nullable [] key, Headers headers) {
    return new Delivery(
        delivery.source(),
        delivery.lane(),
        delivery.position(),
        key,
        delivery.body(),
        headers,
        delivery.timestampMicros(),
        delivery.redelivered(),
        delivery.deliveries(),
        delivery.token());
  }
}
