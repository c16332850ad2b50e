/** The demo: real servers, two relays, faults, and a reconciliation in the end. */
@NullMarked
package io.waybill.demo;

import org.jspecify.annotations.NullMarked;
