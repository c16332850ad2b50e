/** The observations of Waybill, and conventions to change their names and keys. */
@NullMarked
package io.waybill.spring.observation;

import org.jspecify.annotations.NullMarked;
