/** Stores the externalised events of a Spring Modulith application in Waybill's outbox. */
@NullMarked
package io.waybill.spring.modulith;

import org.jspecify.annotations.NullMarked;
