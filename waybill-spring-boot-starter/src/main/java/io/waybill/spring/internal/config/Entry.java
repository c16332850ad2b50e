package io.waybill.spring.internal.config;

import org.springframework.core.env.PropertySource;

/**
 * One value as it was given.
 *
 * @param path where it belongs
 * @param shape what belongs there
 * @param written the key as it is written
 * @param raw the value as it is written
 * @param place where it came from
 * @param source what it is part of
 * @param nothing whether nothing is written after the key
 * @param literal whether the text is taken as it is
 */
record Entry(
    Keys.Path path,
    Shape shape,
    String written,
    String raw,
    Place place,
    PropertySource<?> source,
    boolean nothing,
    boolean literal) {
  String key() {
    return path.key();
  }
}
