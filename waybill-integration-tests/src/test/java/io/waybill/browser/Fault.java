package io.waybill.browser;

/** Something that goes wrong at night, and how a person ends it with the console. */
interface Fault {
  /** A few words. */
  String name();

  /** Lets it go wrong. The time counts from its return. */
  void happen() throws Exception;

  /** Looks until cause and remedy are on the screen. Begins at the overview. */
  void find(Person person) throws Exception;

  /** Ends it, and looks until the screen shows that. */
  void repair(Person person) throws Exception;

  /**
   * Waits for what runs on by itself, beyond the marks.
   *
   * @return a remark for the table, or an empty text
   */
  default String end(Person person) throws Exception {
    return "";
  }
}
