package io.waybill.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Marks a class whose objects are domain events: published with Spring's {@code
 * ApplicationEventPublisher} or a {@link DomainEventPublisher}, they go to the outbox in the
 * running transaction.
 *
 * <p>Paths are property names with dots between them, for example {@code customer.id}; a property
 * is a record component, a getter or a public field. Paths are not expressions.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective(DomainEventReflection.class)
public @interface WaybillEvent {
  /**
   * Type of the event on the wire.
   *
   * @return the type; the simple class name by default
   */
  String type() default "";

  /**
   * Version of the type.
   *
   * @return at least 1
   */
  int version() default 1;

  /**
   * Kind of business object that it happened to, for example {@code order}. With {@link
   * #aggregateId}, or not at all.
   *
   * @return the kind, or empty for an event without a key
   */
  String aggregateType() default "";

  /**
   * Path of the property that identifies the business object. Events of one object keep their
   * order.
   *
   * @return the path, or empty for an event without a key
   */
  String aggregateId() default "";

  /**
   * Headers, as {@code name=path}. One whose property is null is left out.
   *
   * @return headers and paths
   */
  String[] headers() default {};

  /**
   * Path of the property that groups related operations.
   *
   * @return the path, or empty for none
   */
  String correlationId() default "";
}
