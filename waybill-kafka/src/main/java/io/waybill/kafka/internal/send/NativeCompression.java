package io.waybill.kafka.internal.send;

import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The native code of compression, which the client loads with its first message. That takes a
 * twentieth of a second, for which the first keys of a relay would stand still.
 */
final class NativeCompression {
  private static final Logger LOG = LoggerFactory.getLogger(NativeCompression.class);

  /** Classes that load it when they are initialized. */
  private static final Map<String, String> LOADERS =
      Map.of(
          "lz4", "net.jpountz.lz4.LZ4JNI",
          "snappy", "org.xerial.snappy.Snappy",
          "zstd", "com.github.luben.zstd.Zstd");

  private NativeCompression() {}

  /**
   * Loads it, unless it cannot be loaded: then the client says so, or does without.
   *
   * @param compression the client's {@code compression.type}
   * @return whether all that the client needs is there
   */
  static boolean load(String compression) {
    String loader = LOADERS.get(compression);
    if (loader == null) {
      return true;
    }
    try {
      Class.forName(loader);
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      LOG.debug("The native code of {} cannot be loaded ahead", compression, e);
      return false;
    }
  }
}
