package io.waybill.proof.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A server of MySQL's family that somebody has unpacked. Immutable. */
interface MySqlProgram {
  /** Program and the options that tell it where its files are. */
  List<String> command();

  /**
   * Makes the data directory of a new server, whose user {@code root} has no password.
   *
   * @param target where it is to be; not there yet
   */
  void makeData(Path target) throws IOException;
}
