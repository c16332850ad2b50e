/** An order, its event, and the service that ships it, in plain Java. */
@NullMarked
package io.waybill.examples.quickstart;

import org.jspecify.annotations.NullMarked;
