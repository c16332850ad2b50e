/** Health, information and the operator's verbs for Spring Boot's actuator. */
@NullMarked
package io.waybill.spring.actuate;

import org.jspecify.annotations.NullMarked;
