package io.waybill.opentelemetry;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.broker.PublisherListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A broker that keeps what it is sent and answers on demand. */
final class Wire implements Publisher, PublisherListener {
  final List<Outgoing> sent = new ArrayList<>();
  final List<Confirmation> told = new ArrayList<>();
  private PublisherListener listener = this;

  void confirm(Confirmation confirmation) {
    listener.onConfirmation(confirmation);
  }

  @Override
  public void start(PublisherListener told) {
    listener = told;
  }

  @Override
  public void send(Outgoing message) {
    sent.add(message);
  }

  @Override
  public int maxInFlightPerKey() {
    return 7;
  }

  @Override
  public Duration deliveryTimeout() {
    return Duration.ofSeconds(7);
  }

  @Override
  public void onConfirmation(Confirmation confirmation) {
    told.add(confirmation);
  }

  @Override
  public void unavailable(String reason) {}

  @Override
  public void available() {}

  @Override
  public void failed(Throwable cause) {}

  @Override
  public void close() {}
}
