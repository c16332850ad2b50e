/** PolyShop's order service: takes orders, and hears of their payments. */
@NullMarked
package io.waybill.examples.polyshop.order;

import org.jspecify.annotations.NullMarked;
