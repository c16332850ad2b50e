/** Logins of browsers at the API of a standalone relay. */
@NullMarked
package io.waybill.server.login;

import org.jspecify.annotations.NullMarked;
