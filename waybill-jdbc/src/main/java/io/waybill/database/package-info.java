/** Databases and tables as applications name them: connections, products, names and options. */
@NullMarked
package io.waybill.database;

import org.jspecify.annotations.NullMarked;
