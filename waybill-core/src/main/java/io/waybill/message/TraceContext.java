package io.waybill.message;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A position in a distributed trace, in the form of <a
 * href="https://www.w3.org/TR/trace-context-2/">W3C Trace Context</a> (level 2). Immutable.
 *
 * <p>{@code tracestate} is passed on unchanged or not at all: it is null if it is missing or does
 * not follow the grammar of the standard (section 3.3). Texts of up to {@value
 * #MAX_TRACESTATE_LENGTH} characters are carried; the standard asks for 512 at least. In an event
 * it is the header {@code tracestate}, which only events with a valid {@code traceparent} have.
 *
 * @param traceparent trace id, span id and flags, for example {@code
 *     00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01}; not checked
 * @param tracestate data that tracing systems add, for example {@code vendor=value,other=value}, or
 *     null
 */
public record TraceContext(String traceparent, @Nullable String tracestate) {
  /** Name of the header, and of CloudEvents' extension. */
  public static final String TRACEPARENT = "traceparent";

  /** Name of the header, and of CloudEvents' extension. */
  public static final String TRACESTATE = "tracestate";

  /** Longest {@code tracestate} that is passed on, in characters. */
  public static final int MAX_TRACESTATE_LENGTH = 4_096;

  private static final Pattern PARENT =
      Pattern.compile(
          "(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-[!-~]*)?");
  private static final int PARENT_LENGTH = 55;
  private static final int TRACE_ID_START = 3;
  private static final int TRACE_ID_END = 35;

  // A key, and a value of printable ASCII but comma and equals sign that ends with no space.
  private static final Pattern MEMBER =
      Pattern.compile("([a-z0-9][a-z0-9_*/@-]{0,255})=[ -+\\--<>-~]{0,255}[!-+\\--<>-~]");
  private static final int MOST_MEMBERS = 32;

  /** Drops an invalid {@code tracestate}. */
  public TraceContext {
    Objects.requireNonNull(traceparent, TRACEPARENT);
    tracestate = tracestate != null && isTracestate(tracestate) ? tracestate : null;
  }

  /**
   * Creates the context of a message or row.
   *
   * @param traceparent its {@code traceparent}, or null
   * @param tracestate its {@code tracestate}, or null
   * @return null without a {@code traceparent}
   */
  public static @Nullable TraceContext of(
      @Nullable String traceparent, @Nullable String tracestate) {
    return traceparent == null ? null : new TraceContext(traceparent, tracestate);
  }

  /**
   * The trace id of a {@code traceparent}, for log lines and envelopes.
   *
   * @param traceparent the text, or null
   * @return its 32 hexadecimal digits, or null if they are not there
   */
  public static @Nullable String traceId(@Nullable String traceparent) {
    if (traceparent == null || traceparent.length() < TRACE_ID_END) {
      return null;
    }
    String id = traceparent.substring(TRACE_ID_START, TRACE_ID_END);
    return id.chars().allMatch(c -> c < 0x80 && Character.digit(c, 16) >= 0) ? id : null;
  }

  /**
   * Removes a {@code tracestate} that must not be passed on.
   *
   * @param traceparent trace context of the headers, or null
   * @param headers headers
   * @return the same headers, without {@code tracestate} unless both are valid
   */
  public static Headers kept(@Nullable String traceparent, Headers headers) {
    String state = headers.isEmpty() ? null : headers.get(TRACESTATE);
    return state == null || carried(traceparent, state) != null ? headers : with(null, headers);
  }

  /**
   * What goes on of a {@code tracestate}.
   *
   * @param traceparent what it belongs to, or null
   * @param tracestate the text, or null
   * @return the text, or null unless both are valid
   */
  static @Nullable String carried(@Nullable String traceparent, @Nullable String tracestate) {
    return tracestate != null
            && traceparent != null
            && isTraceparent(traceparent)
            && isTracestate(tracestate)
        ? tracestate
        : null;
  }

  /** Headers with another {@code tracestate}, or with none. */
  static Headers with(@Nullable String tracestate, Headers headers) {
    if (tracestate == null && (headers.isEmpty() || headers.get(TRACESTATE) == null)) {
      return headers;
    }
    List<Header> list = new ArrayList<>(headers.list());
    list.removeIf(header -> header.name().equals(TRACESTATE));
    if (tracestate != null) {
      list.add(new Header(TRACESTATE, tracestate));
    }
    return list.isEmpty() ? Headers.NONE : new Headers(list);
  }

  /** Whether a text has the form of section 3.2. */
  static boolean isTraceparent(String value) {
    boolean fits = value.length() == PARENT_LENGTH || !value.startsWith("00-");
    return fits && value.length() <= EventLimits.MAX_NAME_BYTES && PARENT.matcher(value).matches();
  }

  private static boolean isTracestate(String value) {
    if (value.length() > MAX_TRACESTATE_LENGTH) {
      return false;
    }
    Set<String> keys = new HashSet<>();
    for (String part : value.split(",", -1)) {
      String member = trimmed(part);
      // The grammar allows empty members.
      if (!member.isEmpty()) {
        Matcher matcher = MEMBER.matcher(member);
        if (!matcher.matches() || !keys.add(matcher.group(1))) {
          return false;
        }
      }
    }
    return !keys.isEmpty() && keys.size() <= MOST_MEMBERS;
  }

  /** Without spaces and tabs around it, and nothing else. */
  private static String trimmed(String part) {
    int start = 0;
    int end = part.length();
    while (start < end && isSpace(part.charAt(start))) {
      start++;
    }
    while (end > start && isSpace(part.charAt(end - 1))) {
      end--;
    }
    return part.substring(start, end);
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\t';
  }
}
