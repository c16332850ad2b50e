/** PolyShop's product service: products, each with its event, keyed by product. */
@NullMarked
package io.waybill.examples.polyshop.product;

import org.jspecify.annotations.NullMarked;
