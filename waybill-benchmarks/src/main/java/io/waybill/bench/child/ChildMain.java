package io.waybill.bench.child;

import io.waybill.bench.measure.Settings;
import java.util.List;

/** A process that plays one role until its parent stops it. */
public final class ChildMain {
  private ChildMain() {}

  /** What a process is for. */
  @FunctionalInterface
  interface Part {
    void play(Settings settings, Control control) throws Exception;
  }

  /** What processes are started for. */
  public enum Role {
    /** Sends prebuilt messages with the broker's client alone. */
    CLIENT,
    /** Reads and deletes rows without sending them. */
    DATABASE,
    /** The plain loop over a table with a status column. */
    LOOP,
    /** A Waybill relay, with a writer beside it in the same process if one is asked for. */
    WAYBILL,
    /** Writes events at a steady rate. */
    WRITER,
    /** Writes events at a steady rate, several in each transaction. */
    BULK_WRITER,
    /** Writes events at a steady rate and tells how long each transaction took. */
    INSERTER,
    /** Consumes with the broker's client alone. */
    CONSUMER,
    /** Consumes with an inbox of Waybill. */
    INBOX,
    /** Receives and checks everything. */
    VERIFIER;

    private Part part() {
      return switch (this) {
        case CLIENT -> new ClientPart();
        case DATABASE -> new DatabasePart();
        case LOOP -> new LoopPart();
        case WAYBILL -> new WaybillPart();
        case WRITER -> new WriterPart();
        case BULK_WRITER -> new BulkWriterPart();
        case INSERTER -> new InserterPart();
        case CONSUMER -> new ConsumerPart();
        case INBOX -> new InboxPart();
        case VERIFIER -> new VerifierPart();
      };
    }
  }

  /**
   * Runs.
   *
   * @param args role, then settings
   * @throws Exception when the part fails; the process ends with status 1
   */
  public static void main(String[] args) throws Exception {
    Control control = new Control();
    Settings settings = Settings.parse(List.of(args).subList(1, args.length));
    try {
      Role.valueOf(args[0]).part().play(settings, control);
      System.exit(0);
    } catch (Exception e) {
      e.printStackTrace();
      System.exit(1);
    }
  }
}
