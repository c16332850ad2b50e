/** What Waybill observes, and how users name it otherwise. */
@NullMarked
package io.waybill.spring.observation;

import org.jspecify.annotations.NullMarked;
