/** An outbox for tests: no database, no broker. */
@NullMarked
package io.waybill.spring.test;

import org.jspecify.annotations.NullMarked;
