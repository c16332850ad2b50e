package io.waybill.proof.proxy;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The rules of a proxy with their counts. Thread-safe. */
final class Rules {
  private record Active(Rule rule, Predicate<Seen> test, AtomicLong count) {}

  private record Seen(Direction direction, Frame frame) {}

  private final List<Active> active = new CopyOnWriteArrayList<>();

  void add(Rule rule) {
    active.add(new Active(rule, test(rule.match()), new AtomicLong()));
  }

  void remove(Rule rule) {
    active.stream().filter(each -> each.rule().equals(rule)).findFirst().ifPresent(active::remove);
  }

  void clear() {
    active.clear();
  }

  /** Counts a frame; the rule that fires, the oldest if there are several. */
  Optional<Rule> firing(Direction direction, Frame frame) {
    Seen seen = new Seen(direction, frame);
    Optional<Rule> firing = Optional.empty();
    for (Active each : active) {
      if (each.test().test(seen)) {
        long number = each.count().incrementAndGet();
        Rule rule = each.rule();
        if (firing.isEmpty() && number >= rule.first() && number <= rule.last()) {
          firing = Optional.of(rule);
        }
      }
    }
    return firing;
  }

  private static Predicate<Seen> test(Match match) {
    if (match instanceof Match.Kind kind) {
      return seen -> seen.direction() == kind.direction() && seen.frame().kind() == kind.kind();
    }
    String regex = ((Match.Statement) match).regex();
    Pattern pattern = Pattern.compile(regex, Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    return seen ->
        !seen.frame().statement().isEmpty() && pattern.matcher(seen.frame().statement()).find();
  }
}
