package io.waybill.demo;

/**
 * Something that goes wrong, by the script or by a button of the page.
 *
 * @param key its name in addresses
 * @param label what the button says
 * @param mending what it says while the fault lasts; empty if the console ends the fault
 * @param told what a person sees of it, and what ends it
 * @param needsBroker whether it can be made and ended only while the broker runs
 * @param page the page of the console that shows it
 * @param make does the harm
 * @param mend ends it; what nobody has ended when the orders are over is ended so
 */
record Fault(
    String key,
    String label,
    String mending,
    String told,
    boolean needsBroker,
    String page,
    Runnable make,
    Runnable mend) {
  static final String BROKER = "broker";
  static final String RELAY = "relay";

  /** Whether a second press ends it. */
  boolean toggles() {
    return !mending.isEmpty();
  }
}
