package io.waybill.spring.autoconfigure;

import io.waybill.spring.properties.WaybillProperties;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.BindMethod;

/**
 * Properties that a program has read before it starts its application. The application uses them
 * and does not bind them again.
 */
public final class LoadedProperties {
  // As Spring Boot names the bean of a record with a prefix.
  private static final String BEAN = "waybill-" + WaybillProperties.class.getName();

  private LoadedProperties() {}

  /**
   * Gives them to an application that has not been refreshed yet.
   *
   * @param registry bean definitions of the application
   * @param properties what was read
   */
  public static void register(BeanDefinitionRegistry registry, WaybillProperties properties) {
    RootBeanDefinition definition =
        new RootBeanDefinition(WaybillProperties.class, () -> properties);
    definition.setAttribute(LoadedProperties.class.getName(), true);
    definition.setAttribute(BindMethod.class.getName(), BindMethod.VALUE_OBJECT);
    registry.registerBeanDefinition(BEAN, definition);
  }

  /** What was given, or null. */
  static @Nullable WaybillProperties of(BeanDefinitionRegistry registry) {
    boolean loaded =
        registry.containsBeanDefinition(BEAN)
            && registry.getBeanDefinition(BEAN).hasAttribute(LoadedProperties.class.getName());
    return loaded && registry instanceof ListableBeanFactory beans
        ? beans.getBean(BEAN, WaybillProperties.class)
        : null;
  }
}
