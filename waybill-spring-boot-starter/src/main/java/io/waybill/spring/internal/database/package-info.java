/** Tables and connections, in the application's database or in one by URL. */
@NullMarked
package io.waybill.spring.internal.database;

import org.jspecify.annotations.NullMarked;
