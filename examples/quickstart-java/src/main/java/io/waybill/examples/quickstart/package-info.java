/** An order, its event, and what another service does about it, in plain Java. */
@org.jspecify.annotations.NullMarked
package io.waybill.examples.quickstart;
