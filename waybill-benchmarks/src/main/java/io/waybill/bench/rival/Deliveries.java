package io.waybill.bench.rival;

import io.waybill.bench.child.Progress;
import io.waybill.bench.load.Ref;
import io.waybill.bench.measure.Stamps;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Is told of every event that the broker has confirmed. Thread-safe. */
public final class Deliveries {
  private final Progress progress;
  private final @Nullable Stamps stamps;

  Deliveries(Progress progress, @Nullable Stamps stamps) {
    this.progress = progress;
    this.stamps = stamps;
  }

  /**
   * The broker has confirmed an event.
   *
   * @param body its payload
   */
  public void confirmed(byte[] body) {
    if (stamps != null) {
      stamps.stamp(Ref.find(body));
    }
    progress.completed(1);
  }

  /**
   * The broker has confirmed an event.
   *
   * @param body its payload
   */
  public void confirmed(String body) {
    if (stamps != null) {
      stamps.stamp(Ref.find(body.getBytes(StandardCharsets.UTF_8)));
    }
    progress.completed(1);
  }

  void write(Path file) throws IOException {
    if (stamps != null) {
      stamps.write(file);
    }
  }
}
