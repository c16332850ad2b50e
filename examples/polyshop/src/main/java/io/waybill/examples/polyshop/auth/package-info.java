/** PolyShop's auth service: users, each with its event, keyed by user. */
@NullMarked
package io.waybill.examples.polyshop.auth;

import org.jspecify.annotations.NullMarked;
