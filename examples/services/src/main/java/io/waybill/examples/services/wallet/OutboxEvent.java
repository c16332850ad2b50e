package io.waybill.examples.services.wallet;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.hibernate.proxy.HibernateProxy;
import org.jspecify.annotations.Nullable;

/** One row of the table {@code outbox}. Two are equal if they are the same row. */
@Entity
@Table(name = "outbox")
public class OutboxEvent {
  @Id
  @GeneratedValue(strategy = GenerationType.IDENTITY)
  private @Nullable Long id;

  @Column(name = "event_type", nullable = false)
  private String eventType;

  @Column(nullable = false)
  private String payload;

  @Column(name = "correlation_id")
  private @Nullable String correlationId;

  @Column(name = "created_at", nullable = false)
  private LocalDateTime createdAt = LocalDateTime.now(ZoneOffset.UTC);

  @Column(nullable = false)
  private boolean sent;

  /** For JPA. */
  @SuppressWarnings("NullAway.Init")
  protected OutboxEvent() {}

  OutboxEvent(String eventType, String payload, @Nullable String correlationId) {
    this.eventType = eventType;
    this.payload = payload;
    this.correlationId = correlationId;
  }

  /**
   * The row's key.
   *
   * @return null until it is saved
   */
  public @Nullable Long getId() {
    return id;
  }

  /**
   * Kind of event, and topic without its suffix.
   *
   * @return the simple name of the event's class
   */
  public String getEventType() {
    return eventType;
  }

  /**
   * The event.
   *
   * @return JSON
   */
  public String getPayload() {
    return payload;
  }

  /**
   * What it belongs to; events of one are published in order.
   *
   * @return a wallet's id, or null
   */
  public @Nullable String getCorrelationId() {
    return correlationId;
  }

  /**
   * When it was written.
   *
   * @return UTC
   */
  public LocalDateTime getCreatedAt() {
    return createdAt;
  }

  /**
   * Whether the broker has confirmed it.
   *
   * @return false until the relay has marked it
   */
  public boolean isSent() {
    return sent;
  }

  void markSent() {
    sent = true;
  }

  @Override
  public final boolean equals(@Nullable Object other) {
    if (this == other) {
      return true;
    }
    // A proxy has another class than the entity that it stands for, and no fields of its own.
    if (other == null || !entityClass(this).equals(entityClass(other))) {
      return false;
    }
    Long own = getId();
    return own != null && own.equals(((OutboxEvent) other).getId());
  }

  @Override
  public final int hashCode() {
    // The same before and after it is saved, and for its proxy.
    return entityClass(this).hashCode();
  }

  private static Class<?> entityClass(Object object) {
    return object instanceof HibernateProxy proxy
        ? proxy.getHibernateLazyInitializer().getPersistentClass()
        : object.getClass();
  }
}
