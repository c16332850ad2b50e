/** Its module of orders. */
package io.waybill.spring.modulith.shop.orders;
