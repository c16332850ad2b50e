/** The notification producer with Spring Boot, and its four listeners. */
@NullMarked
package io.waybill.examples.services.notification;

import org.jspecify.annotations.NullMarked;
