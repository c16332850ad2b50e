package io.waybill.proof.explore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.internal.relay.RelayEngine;
import org.junit.jupiter.api.Test;

class FieldsTest {
  static final class Sample {
    final long deadline = 1;
    static final long CONSTANT = 2;
  }

  @Test
  void aNumberOfUnknownMeaningIsNotCompared() {
    assertThatThrownBy(() -> Fields.of(Sample.class)).hasMessageContaining("Sample.deadline");
  }

  @Test
  void theNumbersOfTheEngineAreKnown() {
    assertThat(Fields.of(RelayEngine.class))
        .extracting(known -> known.field().getName())
        .contains("settlements", "leaving");
  }
}
