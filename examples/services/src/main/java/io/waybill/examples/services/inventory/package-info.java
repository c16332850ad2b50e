/** PolyShop's inventory service: takes placed orders from the stock, each line once. */
@NullMarked
package io.waybill.examples.services.inventory;

import org.jspecify.annotations.NullMarked;
