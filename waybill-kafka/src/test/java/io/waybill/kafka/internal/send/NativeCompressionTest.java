package io.waybill.kafka.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The names of the classes are those of the libraries that the client brings along. */
class NativeCompressionTest {
  @ParameterizedTest
  @ValueSource(strings = {"none", "gzip", "snappy", "lz4", "zstd"})
  void whatEachCompressionNeedsCanBeLoadedAhead(String type) {
    assertThat(NativeCompression.load(type)).isTrue();
  }
}
