package io.waybill.torture;

import io.waybill.proof.server.SmallDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where the database writes: a disk of its own, or the machine's, which is never filled.
 *
 * @param own the own disk
 * @param missing why there is none
 */
record Disk(@Nullable SmallDisk own, Optional<String> missing) implements AutoCloseable {
  static Disk forDatabase() {
    try {
      return new Disk(SmallDisk.mount(), Optional.empty());
    } catch (IOException e) {
      return new Disk(null, Optional.of(String.valueOf(e.getMessage())));
    }
  }

  Path folder() {
    return own == null ? Path.of(System.getProperty("java.io.tmpdir")) : own.folder();
  }

  void fill() {
    Objects.requireNonNull(own).fill();
  }

  void free() {
    Objects.requireNonNull(own).free();
  }

  @Override
  public void close() {
    if (own != null) {
      own.close();
    }
  }
}
