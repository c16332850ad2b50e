package io.waybill.kafka.internal.send;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.broker.PublisherListener;
import io.waybill.message.Destination;
import io.waybill.message.Header;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages to a {@link LoopbackBroker} before the first ones go to the real broker. The first
 * send takes Kafka's client 0.1 s and more, for which the keys of a relay's first lanes would stand
 * still. The client cannot do that without a message, and the real broker would keep it.
 */
final class ClientWarmUp implements PublisherListener, ProducerSession.Watcher {
  private static final Logger LOG = LoggerFactory.getLogger(ClientWarmUp.class);
  // The second round takes a tenth of the first, and the fourth is as fast as the fifth.
  private static final int ROUNDS = 5;
  private static final int MESSAGES = 20;
  private static final int BATCH_BYTES = 16 * 1024;
  private static final Duration LIMIT = Duration.ofSeconds(3);

  /** Tests begin anew. */
  static boolean done;

  private final long start = System.nanoTime();
  private final Semaphore outcomes = new Semaphore(0);
  private volatile boolean failed;

  private ClientWarmUp() {}

  /**
   * Does it once in a process, for five seconds at most. Who comes meanwhile waits.
   *
   * @param clients makes a client for the server with this host and port
   */
  static synchronized void once(Function<String, KafkaProducer<byte[], byte[]>> clients) {
    if (!done) {
      done = true;
      boolean unused = run(clients, LIMIT);
    }
  }

  /** Whether all messages were confirmed. */
  static boolean run(Function<String, KafkaProducer<byte[], byte[]>> clients, Duration limit) {
    try (LoopbackBroker broker = new LoopbackBroker()) {
      return new ClientWarmUp().send(clients.apply(broker.address()), limit);
    } catch (IOException | RuntimeException | Error e) {
      LOG.debug("The client's warm-up has failed, and its first messages take longer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  private boolean send(KafkaProducer<byte[], byte[]> client, Duration limit)
      throws InterruptedException {
    ProducerSession session = session(client);
    try {
      session.learn(LoopbackBroker.TOPIC);
      SendDispatcher dispatcher = dispatcher(session, limit);
      for (int round = 0; round < ROUNDS && !failed; round++) {
        for (int i = 0; i < MESSAGES; i++) {
          dispatcher.accept(message(i));
        }
        dispatcher.flush();
        long left = limit.toNanos() - (System.nanoTime() - start);
        if (!outcomes.tryAcquire(MESSAGES, left, TimeUnit.NANOSECONDS)) {
          return false;
        }
      }
      return !failed;
    } finally {
      session.end();
    }
  }

  private ProducerSession session(KafkaProducer<byte[], byte[]> client) {
    try {
      // No partitioner of the user's: it would see the message.
      return new ProducerSession(client, this, false, BATCH_BYTES, (message, asked) -> null, this);
    } catch (RuntimeException | Error e) {
      client.close(Duration.ZERO);
      throw e;
    }
  }

  private SendDispatcher dispatcher(ProducerSession session, Duration limit) {
    SendDispatcher dispatcher = new SendDispatcher(this, () -> {}, limit);
    dispatcher.install(session, dispatcher.epoch());
    for (Topic topic : dispatcher.toLookUp(Set.of(LoopbackBroker.TOPIC))) {
      dispatcher.present(topic, new TopicFacts(1, Integer.MAX_VALUE, false, start));
      dispatcher.ready(topic, session);
    }
    return dispatcher;
  }

  private static Outgoing message(int id) {
    return new Outgoing(
        id,
        Destination.topic(LoopbackBroker.TOPIC),
        Integer.toString(id).getBytes(StandardCharsets.UTF_8),
        new byte[200],
        "application/json",
        Integer.toString(id),
        LoopbackBroker.TOPIC,
        System.currentTimeMillis(),
        List.of(new Header(LoopbackBroker.TOPIC, Integer.toString(id))));
  }

  @Override
  public void onConfirmation(Confirmation confirmation) {
    if (confirmation instanceof Confirmation.NotConfirmed refused) {
      fail(refused.reason());
    }
    outcomes.release();
  }

  @Override
  public void failed(ProducerSession session) {
    fail(session.reason());
  }

  private void fail(String why) {
    LOG.debug("A message of the client's warm-up was not confirmed: {}", why);
    failed = true;
    outcomes.release(MESSAGES);
  }

  @Override
  public void available() {}

  @Override
  public void unavailable(String reason) {}

  @Override
  public void failed(Throwable cause) {}

  @Override
  public void hasRoom() {}
}
