/** PolyShop's search service: only consumes. */
@NullMarked
package io.waybill.examples.polyshop.search;

import org.jspecify.annotations.NullMarked;
