/** PolyShop's gateway: begins traces and correlations. */
@NullMarked
package io.waybill.examples.polyshop.gateway;

import org.jspecify.annotations.NullMarked;
