package io.waybill.torture;

/** What a person does to a row with SQL. */
enum Hand {
  /** Deletes it. */
  REMOVE,
  /** Says that it is published. */
  MARK,
  /** Writes something else into it. */
  CHANGE,
  /** Removes what Waybill noted about a row that it gave up. */
  SET_BACK,
  /** Says of a row that was given up that it waits. */
  REVIVE,
  /** Says of a published row that it is not. */
  AGAIN
}
