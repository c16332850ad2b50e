package io.waybill.route;

import io.waybill.message.Quoted;

/** A route that can't be understood. The message names the text, the rule and where it breaks. */
public class InvalidRouteException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  InvalidRouteException(String what, String text, String rule) {
    super(what + " " + Quoted.of(text) + " " + rule);
  }
}
