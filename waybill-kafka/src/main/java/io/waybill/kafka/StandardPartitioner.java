package io.waybill.kafka;

import java.util.Locale;
import java.util.zip.CRC32;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Partitioners of the common clients, under the names that librdkafka's property {@code
 * partitioner} has for them ({@code CONFIGURATION.md} and {@code rdkafka_msg.c} of librdkafka).
 *
 * <p>They differ from librdkafka in one case: an event with an empty key goes by the hash of no
 * bytes with {@link #CONSISTENT_RANDOM}, too, where librdkafka spreads it. Events with a key have
 * an order.
 */
public enum StandardPartitioner implements KeyPartitioner {
  /** Java's client, KafkaJS 2 and librdkafka's {@code murmur2_random}; the default. */
  MURMUR2_RANDOM(Hash.MURMUR2, true),

  /** The same; messages without a key go to one partition. */
  MURMUR2(Hash.MURMUR2, false),

  /**
   * librdkafka's default, CRC-32, which its wrappers share: confluent-kafka for Python, Go and
   * .NET, node-rdkafka, rdkafka for Rust, Ruby and PHP.
   */
  CONSISTENT_RANDOM(Hash.CRC32, true),

  /** The same; messages without a key go to one partition. */
  CONSISTENT(Hash.CRC32, false),

  /** Sarama's {@code NewHashPartitioner}, its default: FNV-1a. */
  FNV1A_RANDOM(Hash.FNV1A, true),

  /** The same; messages without a key go to one partition. */
  FNV1A(Hash.FNV1A, false);

  private enum Hash {
    MURMUR2,
    CRC32,
    FNV1A
  }

  private static final byte[] NO_BYTES = {};

  private final Hash hash;
  private final boolean spreads;

  StandardPartitioner(Hash hash, boolean spreads) {
    this.hash = hash;
    this.spreads = spreads;
  }

  @Override
  public int partition(byte @Nullable [] key, int partitions) {
    if (key == null && spreads) {
      return SPREAD;
    }
    // The hashes are unsigned.
    return Integer.remainderUnsigned(hash(key == null ? NO_BYTES : key), partitions);
  }

  /** Its name in configuration, for example {@code consistent-random}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private int hash(byte[] key) {
    return switch (hash) {
      case MURMUR2 -> murmur2(key);
      case CRC32 -> crc32(key);
      case FNV1A -> fnv1a(key);
    };
  }

  /** Java's client takes the sign away by a mask. */
  private static int murmur2(byte[] key) {
    return Utils.toPositive(Utils.murmur2(key));
  }

  private static int crc32(byte[] key) {
    CRC32 crc = new CRC32();
    crc.update(key);
    return (int) crc.getValue();
  }

  /** Sarama takes the sign away by negation; the number below all others stays as it is. */
  private static int fnv1a(byte[] key) {
    int hash = 0x811c9dc5;
    for (byte each : key) {
      hash = (hash ^ (each & 0xff)) * 0x01000193;
    }
    return Math.abs(hash);
  }
}
