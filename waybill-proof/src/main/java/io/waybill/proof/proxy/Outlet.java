package io.waybill.proof.proxy;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The writing end of one direction: what was read waits here as long as the toxics want. Bounded,
 * so that a slow receiver slows the sender down.
 */
final class Outlet {
  private static final int MOST_WAITING = 128;
  private static final int SLICES_PER_SECOND = 20;

  /** Bytes to be written, or something to be done in their order. */
  private sealed interface Parcel {}

  private record Bytes(byte[] data, long arrival, double luck) implements Parcel {}

  private record Step(Work work) implements Parcel {}

  /** Something to be done between two pieces of the stream. */
  interface Work {
    void run() throws IOException, InterruptedException;
  }

  private final BlockingQueue<Parcel> waiting = new LinkedBlockingQueue<>(MOST_WAITING);
  private final Direction direction;
  private final Toxics toxics;
  private final OutputStream out;
  private volatile boolean finished;

  Outlet(Direction direction, Toxics toxics, OutputStream out) {
    this.direction = direction;
    this.toxics = toxics;
    this.out = out;
  }

  void bytes(byte[] data, double luck) throws InterruptedException {
    put(new Bytes(data, System.nanoTime(), luck));
  }

  void step(Work work) throws InterruptedException {
    put(new Step(work));
  }

  private void put(Parcel parcel) throws InterruptedException {
    if (!finished) {
      waiting.put(parcel);
    }
  }

  /** Everything from now on is thrown away. */
  void finish() {
    finished = true;
    waiting.clear();
  }

  /** Writes until finished or interrupted. */
  void run() throws IOException, InterruptedException {
    while (!finished) {
      Parcel next = waiting.take();
      if (next instanceof Step step) {
        // A cut cable holds back the end of a connection as well.
        toxics.await(direction, System.nanoTime(), 0);
        step.work().run();
      } else if (next instanceof Bytes bytes) {
        toxics.await(direction, bytes.arrival(), bytes.luck());
        write(bytes.data());
      }
    }
  }

  private void write(byte[] data) throws IOException, InterruptedException {
    int at = 0;
    while (at < data.length && !finished) {
      long rate = toxics.bandwidth(direction);
      int slice = (int) Math.min(data.length - at, Math.max(1, rate / SLICES_PER_SECOND));
      if (rate < Long.MAX_VALUE) {
        TimeUnit.NANOSECONDS.sleep((long) (1e9 * slice / rate));
      }
      out.write(data, at, slice);
      at += slice;
    }
  }
}
