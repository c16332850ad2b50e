/** The notification producer of documents 000 and 001 with Spring Boot, and its four listeners. */
@NullMarked
package io.waybill.examples.services.notification;

import org.jspecify.annotations.NullMarked;
