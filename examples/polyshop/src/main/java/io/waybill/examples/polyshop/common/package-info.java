/** What PolyShop's Java services share; in its document {@code libs/common-java}. */
@NullMarked
package io.waybill.examples.polyshop.common;

import org.jspecify.annotations.NullMarked;
