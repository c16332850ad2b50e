package io.waybill.torture.planted;

import io.waybill.server.WaybillCommand;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;

/** The command line of this build, with a driver whose calls fail when a test asks for it. */
public final class FailingRelay {
  /** Names the file whose coming makes the next call to the database fail. */
  public static final String FILE = "TORTURE_FAILURE_FILE";

  private FailingRelay() {}

  /**
   * Runs the command line.
   *
   * @param args what it takes
   */
  public static void main(String[] args) throws SQLException {
    // The first one that is registered is asked first.
    DriverManager.registerDriver(new FailingDriver(Path.of(System.getenv(FILE))));
    WaybillCommand.main(args);
  }
}
