package io.waybill.examples.services.wallet;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.UUID;

/** Somebody's money. */
@Entity
@Table(name = "wallet")
class Wallet {
  @Id private String id;

  @Column(nullable = false)
  private String owner;

  @Column(nullable = false)
  private long cents;

  /** For JPA. */
  @SuppressWarnings("NullAway.Init")
  protected Wallet() {}

  Wallet(String owner) {
    this.id = UUID.randomUUID().toString();
    this.owner = owner;
  }

  String id() {
    return id;
  }

  String owner() {
    return owner;
  }

  long cents() {
    return cents;
  }

  void add(long more) {
    cents = Math.addExact(cents, more);
  }

  /** Returns false, and takes nothing, where there is less. */
  boolean take(long less) {
    if (cents < less) {
      return false;
    }
    cents -= less;
    return true;
  }
}
