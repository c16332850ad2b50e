package io.waybill.kafka;

import java.util.zip.Deflater;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** How small records get by gzip, in batches as a relay sends them. Not thread-safe. */
final class CompressionSample implements AutoCloseable {
  /** What comes together in a small batch; larger ones would save more. */
  private static final int BATCH_BYTES = 16 * 1024;

  private final Deflater deflater = new Deflater();
  private final byte[] out = new byte[BATCH_BYTES];
  private int records;
  private long plain;
  private long compressed;
  private long batch;

  void add(ConsumerRecord<byte[], byte[]> message) {
    byte[] body = message.value();
    if (body == null) {
      return;
    }
    records++;
    plain += body.length;
    batch += body.length;
    deflater.setInput(body);
    drain();
    if (batch >= BATCH_BYTES) {
      finish();
    }
  }

  int records() {
    return records;
  }

  /** Bytes of the bodies as they are. */
  long plainBytes() {
    return plain;
  }

  /** The same after compression. */
  long compressedBytes() {
    finish();
    return compressed;
  }

  private void finish() {
    if (batch > 0) {
      deflater.finish();
      drain();
      deflater.reset();
      batch = 0;
    }
  }

  private void drain() {
    for (int n = deflater.deflate(out); n > 0; n = deflater.deflate(out)) {
      compressed += n;
    }
  }

  @Override
  public void close() {
    deflater.end();
  }
}
