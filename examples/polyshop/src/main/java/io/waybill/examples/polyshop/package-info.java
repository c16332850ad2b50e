/** PolyShop's order service: an order, its items and its event in one transaction. */
@NullMarked
package io.waybill.examples.polyshop;

import org.jspecify.annotations.NullMarked;
