package io.waybill.spring.cloudstream;

import io.waybill.broker.PublisherListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the broker every second, in a thread of its own, and tells when its answer changes. */
final class BrokerProbe implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BrokerProbe.class);
  private static final long PAUSE_MILLIS = 1_000;

  private final BinderKind kind;
  private final PublisherListener listener;
  private final Thread thread;
  private boolean up;
  private boolean down;

  BrokerProbe(BinderKind kind, PublisherListener listener) {
    this.kind = kind;
    this.listener = listener;
    thread = new Thread(this::run, "waybill-cloud-stream-probe");
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void run() {
    try (BinderKind.Probe probe = kind.probe()) {
      while (!Thread.currentThread().isInterrupted()) {
        ask(probe);
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // Closing.
    }
  }

  private void ask(BinderKind.Probe probe) throws InterruptedException {
    try {
      probe.ask();
      if (!up) {
        if (down) {
          LOG.info("The broker of the binder for {} answers again", kind.transport());
        }
        up = true;
        down = false;
        listener.available();
      }
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      if (!down && !thread.isInterrupted()) {
        up = false;
        down = true;
        LOG.warn(
            "The broker of the binder for {} does not answer ({}); the relay stops sending until it"
                + " does",
            kind.transport(),
            e.toString());
        listener.unavailable("the broker of the binder does not answer: " + e);
      }
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
