/** PolyShop's inventory service: takes orders from the stock, and tells of it by product. */
@NullMarked
package io.waybill.examples.polyshop.inventory;

import org.jspecify.annotations.NullMarked;
