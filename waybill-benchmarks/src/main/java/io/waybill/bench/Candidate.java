package io.waybill.bench;

import io.waybill.bench.child.ChildMain.Role;

/** Who is measured. */
enum Candidate {
  CLIENT("client", Role.CLIENT, Table.NONE),
  DATABASE("database", Role.DATABASE, Table.WAYBILL),
  LOOP("loop", Role.LOOP, Table.PLAIN),
  WAYBILL_KEEP("waybill-keep", Role.WAYBILL, Table.WAYBILL),
  WAYBILL_DELETE("waybill-delete", Role.WAYBILL, Table.WAYBILL),
  WAYBILL_IN_PROCESS("waybill-in-process", Role.WAYBILL, Table.WAYBILL),
  WAYBILL_RELAY("waybill-relay", Role.WAYBILL, Table.WAYBILL);

  /** What it reads from. */
  enum Table {
    NONE,
    PLAIN,
    WAYBILL
  }

  private final String label;
  private final Role role;
  private final Table table;

  Candidate(String label, Role role, Table table) {
    this.label = label;
    this.role = role;
    this.table = table;
  }

  String label() {
    return label;
  }

  Role role() {
    return role;
  }

  Table table() {
    return table;
  }

  boolean publishes() {
    return this != DATABASE;
  }

  boolean keeps() {
    return this == WAYBILL_KEEP;
  }
}
