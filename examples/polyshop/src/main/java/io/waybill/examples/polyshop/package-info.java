/** PolyShop: what starts its services, lets buyers order, and compares what became of it. */
@NullMarked
package io.waybill.examples.polyshop;

import org.jspecify.annotations.NullMarked;
