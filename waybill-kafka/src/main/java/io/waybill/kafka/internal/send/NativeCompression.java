package io.waybill.kafka.internal.send;

import org.apache.kafka.clients.producer.KafkaProducer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The native code of compression, which the client loads with its first message. That takes a
 * twentieth of a second, for which the first keys of a relay would stand still.
 */
final class NativeCompression {
  private static final Logger LOG = LoggerFactory.getLogger(NativeCompression.class);

  private NativeCompression() {}

  /**
   * Loads it, unless it cannot be loaded: then the client says so, or does without.
   *
   * @param compression the client's {@code compression.type}
   * @return whether all that the client needs is there
   */
  static boolean load(String compression) {
    try {
      switch (compression) {
        // What the client calls. In some class loaders it does without native code.
        case "lz4" ->
            loaded("net.jpountz.lz4.LZ4Factory").getMethod("fastestInstance").invoke(null);
        case "snappy" -> loaded("org.xerial.snappy.Snappy");
        case "zstd" -> loaded("com.github.luben.zstd.Zstd");
        default -> {}
      }
      return true;
    } catch (ReflectiveOperationException | RuntimeException | Error e) {
      LOG.debug("The native code of {} cannot be loaded ahead", compression, e);
      return false;
    }
  }

  /** The client's own, initialized. */
  private static Class<?> loaded(String name) throws ClassNotFoundException {
    return Class.forName(name, true, KafkaProducer.class.getClassLoader());
  }
}
