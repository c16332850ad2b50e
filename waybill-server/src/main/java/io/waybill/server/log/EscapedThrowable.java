package io.waybill.server.log;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes stack traces as {@code %ex} does, with control characters in messages replaced by question
 * marks: messages of drivers and brokers quote foreign text, which must not forge log lines.
 */
public final class EscapedThrowable extends ThrowableProxyConverter {
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\u2028\\u2029]");

  /** For Logback, which makes it by its name in {@code logback.xml}. */
  public EscapedThrowable() {}

  @Override
  protected String throwableProxyToString(IThrowableProxy throwable) {
    return super.throwableProxyToString(new Escaped(throwable));
  }

  private record Escaped(IThrowableProxy original) implements IThrowableProxy {
    private static @Nullable String escaped(@Nullable String text) {
      return text == null ? null : CONTROL.matcher(text).replaceAll("?");
    }

    @Override
    public @Nullable String getMessage() {
      return escaped(original.getMessage());
    }

    @Override
    public @Nullable String getOverridingMessage() {
      return escaped(original.getOverridingMessage());
    }

    @Override
    public @Nullable IThrowableProxy getCause() {
      IThrowableProxy cause = original.getCause();
      return cause == null ? null : new Escaped(cause);
    }

    @Override
    public IThrowableProxy @Nullable [] getSuppressed() {
      IThrowableProxy[] suppressed = original.getSuppressed();
      return suppressed == null
          ? null
          : Arrays.stream(suppressed).map(Escaped::new).toArray(IThrowableProxy[]::new);
    }

    @Override
    public String getClassName() {
      return original.getClassName();
    }

    @Override
    public StackTraceElementProxy[] getStackTraceElementProxyArray() {
      return original.getStackTraceElementProxyArray();
    }

    @Override
    public int getCommonFrames() {
      return original.getCommonFrames();
    }

    @Override
    public boolean isCyclic() {
      return original.isCyclic();
    }
  }
}
