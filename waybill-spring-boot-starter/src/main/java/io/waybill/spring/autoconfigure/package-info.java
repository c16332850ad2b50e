/** From properties to beans. */
@NullMarked
package io.waybill.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
