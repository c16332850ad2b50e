package io.waybill.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class StandardPartitionerTest {
  private static final int MANY = Integer.MAX_VALUE;

  /** Vectors of librdkafka's rdfnv1a.c, which its authors made with Sarama's code in Go. */
  @ParameterizedTest
  @CsvSource({
    "kafka, d33c4e1",
    "giberish123456789, 77a58295",
    "1234, 23bdd03",
    "234, 2dea3cd2",
    "34, 740fa83e",
    "4, 310ca263",
    "'PreAmbleWillBeRemoved,ThePrePartThatIs', 65cbd69c",
    "'reAmbleWillBeRemoved,ThePrePartThatIs', 6e49c79a",
    "'eAmbleWillBeRemoved,ThePrePartThatIs', 69eed356",
    "'AmbleWillBeRemoved,ThePrePartThatIs', 6abcc023",
    "'', 7ee3623b",
  })
  void fnv1aIsSaramas(String key, String hash) {
    for (int partitions : new int[] {1, 2, 7, 12, 1_000, MANY}) {
      assertThat(StandardPartitioner.FNV1A_RANDOM.partition(key.getBytes(UTF_8), partitions))
          .isEqualTo(Integer.parseInt(hash, 16) % partitions);
    }
  }

  /** Sarama: the signed hash modulo the partitions, and then its sign away. */
  @Test
  void fnv1aTakesTheSignAwayAfterwards() {
    Random random = new Random(7);
    for (int n = 0; n < 10_000; n++) {
      byte[] key = new byte[random.nextInt(20)];
      random.nextBytes(key);
      int hash = 0x811c9dc5;
      for (byte each : key) {
        hash = (hash ^ Byte.toUnsignedInt(each)) * 16_777_619;
      }
      int partitions = 1 + random.nextInt(100);
      int signed = hash % partitions;
      assertThat(StandardPartitioner.FNV1A.partition(key, partitions))
          .isEqualTo(signed < 0 ? -signed : signed);
    }
  }

  /** The check value of CRC-32, as catalogues of such checksums have it for these nine digits. */
  @Test
  void consistentIsCrc32() {
    long check = 0xCBF43926L;
    assertThat(StandardPartitioner.CONSISTENT.partition("123456789".getBytes(UTF_8), 1_000))
        .isEqualTo((int) (check % 1_000));
  }

  @Test
  void murmur2IsThatOfJavasClient() {
    Random random = new Random(11);
    for (int n = 0; n < 10_000; n++) {
      byte[] key = new byte[random.nextInt(20)];
      random.nextBytes(key);
      int partitions = 1 + random.nextInt(100);
      assertThat(StandardPartitioner.MURMUR2.partition(key, partitions))
          .isEqualTo(StandardPartitioner.MURMUR2_RANDOM.partition(key, partitions))
          .isEqualTo(BuiltInPartitioner.partitionForKey(key, partitions));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aKeyHasOnePartitionAndWhatHasNoneIsSpreadOnlyByThoseThatSaySo(StandardPartitioner each) {
    Random random = new Random(13);
    for (int n = 0; n < 1_000; n++) {
      byte[] key = new byte[random.nextInt(40)];
      random.nextBytes(key);
      int partitions = 1 + random.nextInt(100);
      int partition = each.partition(key, partitions);
      assertThat(partition).isBetween(0, partitions - 1);
      assertThat(each.partition(Arrays.copyOf(key, key.length), partitions)).isEqualTo(partition);
    }
    int empty = each.partition(new byte[0], 12);
    assertThat(empty).isBetween(0, 11);
    assertThat(each.partition(null, 12))
        .isEqualTo(each.toString().endsWith("-random") ? KeyPartitioner.SPREAD : empty);
  }
}
