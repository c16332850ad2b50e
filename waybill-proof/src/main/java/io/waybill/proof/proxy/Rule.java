package io.waybill.proof.proxy;

/**
 * What happens at certain frames, for example {@code
 * Rule.on(Match.commitReply()).nth(3).before(Action.reset())}. Frames are counted over all
 * connections of a proxy, from when the rule was added.
 *
 * @param match which frames count
 * @param first number of the first frame at which it fires, from 1
 * @param last number of the last one
 * @param moment before or after the frame is forwarded
 * @param action what happens
 */
public record Rule(Match match, long first, long last, Moment moment, Action action) {
  /** When an action happens. */
  public enum Moment {
    /** The receiver has everything before the frame and nothing of it. */
    BEFORE,
    /** The receiver has been sent the whole frame. */
    AFTER
  }

  /** Checks the counts and that the frame is still there for what is to be done. */
  public Rule {
    if (first < 1 || last < first) {
      throw new IllegalArgumentException(
          "Frames are counted from 1, but the rule is for " + first + " to " + last);
    }
    if (moment == Moment.AFTER && action instanceof Action.Drop) {
      throw new IllegalArgumentException("A frame cannot be dropped after it was forwarded");
    }
  }

  @Override
  public String toString() {
    String which = first == last ? "#" + first : "#" + first + " and later";
    return match + " " + which + " " + moment + " " + action;
  }

  /**
   * Begins a rule.
   *
   * @param match which frames it is about
   * @return to be told which of them
   */
  public static On on(Match match) {
    return new On(match);
  }

  /**
   * A rule that does not know yet at which frames it fires.
   *
   * @param match which frames count
   */
  public record On(Match match) {
    /**
     * Once.
     *
     * @param number number of the frame, from 1
     * @return to be told what to do
     */
    public Counted nth(long number) {
      return new Counted(match, number, number);
    }

    /**
     * At a frame and at all later ones.
     *
     * @param number number of the frame, from 1
     * @return to be told what to do
     */
    public Counted from(long number) {
      return new Counted(match, number, Long.MAX_VALUE);
    }

    /**
     * At every frame.
     *
     * @return to be told what to do
     */
    public Counted each() {
      return from(1);
    }
  }

  /**
   * A rule that does not know yet what to do.
   *
   * @param match which frames count
   * @param first number of the first
   * @param last number of the last
   */
  public record Counted(Match match, long first, long last) {
    /**
     * Acts before the frame is forwarded.
     *
     * @param action what happens
     * @return the rule
     */
    public Rule before(Action action) {
      return new Rule(match, first, last, Moment.BEFORE, action);
    }

    /**
     * Acts after the frame was forwarded.
     *
     * @param action what happens
     * @return the rule
     */
    public Rule after(Action action) {
      return new Rule(match, first, last, Moment.AFTER, action);
    }
  }
}
