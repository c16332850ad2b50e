package io.waybill.server.command;

import io.waybill.internal.jdbc.operator.JobLetters.Letter;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which dead letters are sent again beside new ones, and for whom. */
final class RedriveOptions {
  @Option(
      names = "--for",
      paramLabel = "NAME",
      description =
          "Name of the inbox that is to handle them. Default: the one that dead-lettered them.")
  private @Nullable String target;

  @Option(
      names = "--for-another",
      description = "With --for: also dead letters of a queue that come from another consumer.")
  private boolean forAnother;

  @Option(
      names = "--again",
      description = "Also dead letters of a topic that were redriven before.")
  private boolean again;

  @Nullable String target() {
    return target;
  }

  boolean again() {
    return again;
  }

  /** A queue has one consumer: it would make a letter of it again. */
  void refuseAnother(List<Letter> ofAQueue) {
    if (target == null || forAnother) {
      return;
    }
    for (Letter letter : ofAQueue) {
      String own = letter.consumer();
      if (own != null && !own.equals(target)) {
        throw new CommandFailure(
            ExitCode.USAGE,
            ("'%s' dead-lettered %s, and a queue belongs to one consumer: redriven for '%s', it"
                        + " becomes")
                    .formatted(own, letter.eventId(), target)
                + " a dead letter again unless the consumer has that name now. Nothing was done;"
                + " add --for-another if it has");
      }
    }
  }
}
