/** PolyShop's analytics service: only consumes. */
@NullMarked
package io.waybill.examples.polyshop.analytics;

import org.jspecify.annotations.NullMarked;
