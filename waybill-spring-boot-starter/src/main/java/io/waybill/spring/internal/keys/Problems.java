package io.waybill.spring.internal.keys;

import io.waybill.observe.Finding;
import io.waybill.spring.WaybillStartException;
import io.waybill.spring.internal.config.ConfigException;
import io.waybill.spring.internal.config.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Collects what is wrong with properties, so that all of it is reported at once. */
public final class Problems {
  private final List<Problem> problems;
  private final UnaryOperator<String> keys;

  /** About keys below {@code waybill}. */
  public Problems() {
    this(new ArrayList<>(), "waybill."::concat);
  }

  private Problems(List<Problem> problems, UnaryOperator<String> keys) {
    this.problems = problems;
    this.keys = keys;
  }

  /** The same list, for keys that are written in another way. */
  Problems with(UnaryOperator<String> others) {
    return new Problems(problems, others);
  }

  /** A key as it is written. */
  String name(String key) {
    return keys.apply(key);
  }

  /** A rule and the value that breaks it. */
  public void add(String key, String rule, Object value) {
    problems.add(new Problem(name(key), rule, text(value), ""));
  }

  /** A rule about a key without a value worth showing. */
  public void add(String key, String rule) {
    problems.add(new Problem(name(key), rule, "", ""));
  }

  /** A time out of its range is a problem. */
  public void between(String key, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      add(key, "must be " + text(least) + " to " + text(most), text(value));
    }
  }

  /** A number out of its range is a problem. */
  public void between(String key, long value, long least, long most) {
    if (value < least || value > most) {
      add(key, "must be " + least + " to " + most, value);
    }
  }

  /** Runs something that refuses bad values; its refusal is one of the problems. */
  public void attempt(String key, Runnable step) {
    try {
      step.run();
    } catch (IllegalArgumentException e) {
      add(key, "is wrong: " + e.getMessage());
    }
  }

  /** Does something that refuses an outbox; its refusal is one of the problems. */
  public void attempt(ConfiguredOutbox outbox, Runnable step) {
    try {
      step.run();
    } catch (ConfigException e) {
      problems.addAll(e.problems());
    } catch (WaybillStartException e) {
      problems.add(
          new Problem(outbox.key("").replaceFirst("[.]$", ""), "is refused: " + said(e), "", ""));
    }
  }

  private static String said(WaybillStartException e) {
    return e instanceof Failure failure
        ? String.join("; ", failure.sentences)
        : e.getMessage() + " " + e.action();
  }

  /** What is wrong so far. */
  public List<Problem> all() {
    return List.copyOf(problems);
  }

  /** Fails with all that is wrong. */
  public void throwIfAny() {
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
  }

  /** A failure for what is found when no more can be collected. */
  public static WaybillStartException failure(List<String> sentences, @Nullable Throwable cause) {
    return new Failure(sentences, cause);
  }

  private static final class Failure extends WaybillStartException {
    private static final long serialVersionUID = 1L;
    private final transient List<String> sentences;

    Failure(List<String> sentences, @Nullable Throwable cause) {
      super(
          "Waybill's properties are wrong:\n  - " + String.join("\n  - ", sentences),
          "Correct the properties; docs/spring-boot.md lists all keys with their defaults.",
          cause);
      this.sentences = List.copyOf(sentences);
    }
  }

  /** A finding of a check, in one line. */
  public static String text(Finding finding) {
    return finding.check().code()
        + ": "
        + finding.subject()
        + ": "
        + finding.detail()
        + "; fix: "
        + finding.remedy();
  }

  private static String text(Object value) {
    return value instanceof Duration duration
        ? text(duration)
        : value instanceof Enum<?> word
            ? word.name().toLowerCase(Locale.ROOT).replace('_', '-')
            : value.toString();
  }

  /** As it is written in properties. */
  static String text(Duration value) {
    return value.toMillis() % 1000 == 0 ? value.toSeconds() + "s" : value.toMillis() + "ms";
  }
}
