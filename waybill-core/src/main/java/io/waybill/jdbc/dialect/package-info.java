/** One class of SQL per database. */
@NullMarked
package io.waybill.jdbc.dialect;

import org.jspecify.annotations.NullMarked;
