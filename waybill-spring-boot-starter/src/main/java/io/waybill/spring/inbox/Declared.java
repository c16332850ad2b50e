package io.waybill.spring.inbox;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationAttributes;
import org.springframework.transaction.annotation.Transactional;

/**
 * What a method, else its class, says about its transaction, in Spring's annotation or in
 * Jakarta's.
 *
 * @param propagation for example {@code REQUIRES_NEW}, which both annotations call so
 * @param manager name of the transaction manager, empty for the usual one
 */
record Declared(String propagation, String manager) {
  private static final String JAKARTA = "jakarta.transaction.Transactional";
  private static final Set<String> ELSEWHERE = Set.of("REQUIRES_NEW", "NOT_SUPPORTED", "NEVER");

  static @Nullable Declared by(Method method) {
    Declared own = on(method);
    return own == null ? on(method.getDeclaringClass()) : own;
  }

  private static @Nullable Declared on(AnnotatedElement element) {
    Transactional spring = AnnotatedElementUtils.findMergedAnnotation(element, Transactional.class);
    if (spring != null) {
      return new Declared(spring.propagation().name(), spring.transactionManager());
    }
    AnnotationAttributes jakarta =
        AnnotatedElementUtils.findMergedAnnotationAttributes(element, JAKARTA, false, false);
    return jakarta == null ? null : new Declared(String.valueOf(jakarta.get("value")), "");
  }

  /** Whether a running transaction is left. */
  boolean isElsewhere() {
    return ELSEWHERE.contains(propagation);
  }
}
