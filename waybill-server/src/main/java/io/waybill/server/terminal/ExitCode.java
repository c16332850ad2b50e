package io.waybill.server.terminal;

/** The exit codes of the commands. */
public final class ExitCode {
  /** Done, nothing to report. */
  public static final int OK = 0;

  /** Findings: a check failed, an event was not found, a request was refused or not carried out. */
  public static final int FINDINGS = 1;

  /** The command line is wrong. */
  public static final int USAGE = 2;

  /** The configuration is wrong. */
  public static final int CONFIG = 3;

  /** Database or broker could not be reached, or did not answer in time. */
  public static final int UNREACHABLE = 4;

  /** The start was refused because events could be lost. */
  public static final int REFUSED = 5;

  /** The relay did not settle its work within the grace period. */
  public static final int UNCLEAN_STOP = 6;

  /** A part of the relay failed for good; the process manager should restart the process. */
  public static final int FAILED = 7;

  /** The port of health and metrics is taken. */
  public static final int PORT_TAKEN = 8;

  /** An internal error; the log has the details. */
  public static final int INTERNAL = 70;

  private ExitCode() {}
}
