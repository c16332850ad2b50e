package io.waybill.server.correction;

import io.waybill.internal.jdbc.operator.Correction;
import io.waybill.internal.jdbc.operator.CorrectionException;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Corrected parts of an event. */
public final class CorrectionOptions {
  // No event is larger.
  private static final int MOST_BYTES = 16 << 20;

  @Option(
      names = "--payload-file",
      paramLabel = "FILE",
      description = "The right payload. Default: the payload stays.")
  private @Nullable Path payloadFile;

  @Option(
      names = "--content-type",
      paramLabel = "TYPE",
      description = "The right media type of the payload.")
  private @Nullable String contentType;

  @Option(names = "--type", paramLabel = "TYPE", description = "The right event type.")
  private @Nullable String type;

  @Option(
      names = "--header",
      paramLabel = "NAME=VALUE",
      description = "A right header; may be repeated. Others stay.")
  private Map<String, String> headers = new LinkedHashMap<>();

  /** Filled by picocli. */
  public CorrectionOptions() {}

  /**
   * The correction that they give.
   *
   * @throws CommandFailure if they say nothing, or the file cannot be read
   */
  public Correction correction() {
    try {
      return new Correction(payload(), contentType, type, headers);
    } catch (CorrectionException e) {
      throw new CommandFailure(
          ExitCode.USAGE, "Say what is right: --payload-file, --content-type, --type or --header");
    }
  }

  private byte @Nullable [] payload() {
    if (payloadFile == null) {
      return null;
    }
    try (InputStream file = Files.newInputStream(payloadFile)) {
      byte[] bytes = file.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw new CommandFailure(
            ExitCode.USAGE,
            "--payload-file must have at most %d bytes: %s".formatted(MOST_BYTES, payloadFile));
      }
      return bytes;
    } catch (IOException e) {
      throw new CommandFailure(ExitCode.USAGE, "Cannot read --payload-file " + payloadFile);
    }
  }
}
