package io.waybill.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Marks a method of a bean that handles events of the inbox. It runs in the Spring transaction in
 * which the inbox notes the event as processed. Its changes through {@code JdbcTemplate}, JPA or
 * the {@link SpringOutbox} are committed with that note or not at all. When it throws, the whole
 * transaction is rolled back, and the inbox retries or dead-letters the event.
 *
 * <p>Parameters, each at most once and in any order: the {@link io.waybill.message.ReceivedEvent},
 * the payload as any class (read by the {@link PayloadMapper}; null for a tombstone) or as {@link
 * io.waybill.message.Payload}, and the {@code Connection}. With a {@code List} of events or
 * payloads the method gets up to {@link #batch} events in one transaction; if it throws, they are
 * handled singly. The method returns nothing. Several threads may call it at the same time, but for
 * one key only one of them.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective(HandlerReflection.class)
public @interface WaybillHandler {
  /** All versions without a specific handler. */
  int ANY_VERSION = -1;

  /**
   * Exact event types.
   *
   * @return the types; by default that of the payload's class with {@link WaybillEvent}
   */
  String[] value() default {};

  /**
   * Version of the types.
   *
   * @return the version, or {@link #ANY_VERSION}
   */
  int version() default ANY_VERSION;

  /**
   * Most events of a call, for methods with a {@code List}.
   *
   * @return 1 to 1000
   */
  int batch() default 100;
}
