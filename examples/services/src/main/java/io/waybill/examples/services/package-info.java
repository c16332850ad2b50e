/** Services with Spring Boot on servers of their own, and a client that shows what they send. */
@NullMarked
package io.waybill.examples.services;

import org.jspecify.annotations.NullMarked;
