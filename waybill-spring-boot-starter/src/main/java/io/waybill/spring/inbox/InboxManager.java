package io.waybill.spring.inbox;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.transaction.TransactionManager;

/**
 * The transaction manager of the inbox among those of the application.
 *
 * @param beans the application's
 * @param inbox the inbox's, null where there is no inbox
 */
record InboxManager(ConfigurableListableBeanFactory beans, @Nullable TransactionManager inbox) {

  /** Whether transactions of a manager are ones of the inbox; the empty name is the usual one's. */
  boolean is(String name) {
    if (inbox == null) {
      return true;
    }
    TransactionManager named = name.isEmpty() ? usual() : named(name);
    return named == inbox || (named == null && name.isEmpty());
  }

  private @Nullable TransactionManager usual() {
    return beans.getBeanProvider(TransactionManager.class).getIfUnique();
  }

  private @Nullable TransactionManager named(String name) {
    String resolved = beans.resolveEmbeddedValue(name);
    try {
      return BeanFactoryAnnotationUtils.qualifiedBeanOfType(
          beans, TransactionManager.class, resolved == null ? name : resolved);
    } catch (NoSuchBeanDefinitionException e) {
      return null;
    }
  }
}
