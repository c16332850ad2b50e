/** The relay as a process: a Spring Boot application around the starter's relays. */
@NullMarked
package io.waybill.server.relay;

import org.jspecify.annotations.NullMarked;
