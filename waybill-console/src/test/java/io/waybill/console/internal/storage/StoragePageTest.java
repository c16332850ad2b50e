package io.waybill.console.internal.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.internal.jdbc.operator.Storage;
import io.waybill.internal.jdbc.operator.Storage.Holder;
import io.waybill.internal.jdbc.operator.Storage.OpenTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which open transaction pages warn of. */
class StoragePageTest {
  private static OpenTransaction open(String id, @Nullable Duration age) {
    return new OpenTransaction(
        Holder.SESSION,
        id,
        "app",
        "shop",
        null,
        "idle in transaction",
        age == null ? null : Instant.now().minus(age),
        null,
        null);
  }

  private static Storage storage(OpenTransaction... open) {
    return new Storage(0, false, List.of(), null, List.of(open), null);
  }

  @Test
  void oneThatIsOpenForLongerThanAMinuteIsNamed() {
    OpenTransaction hidden = open("1", null);
    OpenTransaction old = open("2", Duration.ofMinutes(5));
    OpenTransaction fresh = open("3", Duration.ofSeconds(5));
    assertThat(StoragePage.held(storage(hidden, old, fresh))).contains(old);
    assertThat(StoragePage.held(storage(hidden, fresh))).isEmpty();
  }
}
