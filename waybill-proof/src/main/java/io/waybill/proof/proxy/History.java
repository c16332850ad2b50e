package io.waybill.proof.proxy;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** What a proxy did, in order. Thread-safe. */
public final class History {
  private final List<Fired> all = new CopyOnWriteArrayList<>();
  private final List<Consumer<Fired>> listeners = new CopyOnWriteArrayList<>();

  History() {}

  void add(Fired fired) {
    all.add(fired);
    listeners.forEach(listener -> listener.accept(fired));
  }

  /**
   * Everything so far.
   *
   * @return copy, oldest first
   */
  public List<Fired> entries() {
    return List.copyOf(all);
  }

  /**
   * How often a rule has fired.
   *
   * @param rule the rule
   * @return number of times
   */
  public long count(Rule rule) {
    return all.stream().filter(fired -> rule.equals(fired.rule())).count();
  }

  /**
   * Tells somebody from now on.
   *
   * @param listener quick; called by the proxy's threads
   */
  public void listen(Consumer<Fired> listener) {
    listeners.add(listener);
  }
}
