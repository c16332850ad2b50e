package io.waybill.route;

import io.waybill.internal.text.Quoted;

/** A route can't be parsed. The message names the text, the rule and the position of the error. */
public class InvalidRouteException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  InvalidRouteException(String what, String text, String rule) {
    super(what + " " + Quoted.of(text) + " " + rule);
  }
}
