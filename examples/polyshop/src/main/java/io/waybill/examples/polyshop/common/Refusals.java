package io.waybill.examples.polyshop.common;

import io.waybill.message.InvalidEventException;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.server.ResponseStatusException;

/** Answers requests that break rules: 400 with field and rule, 409 for what is there already. */
@RestControllerAdvice
public class Refusals {
  private static final int LONGEST = 100;

  /** Headers that no event can have. */
  @ExceptionHandler
  ProblemDetail refused(InvalidEventException e) {
    return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, e.getMessage());
  }

  @ExceptionHandler
  ProblemDetail known(DuplicateKeyException e) {
    return ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, "there is one of this id already");
  }

  /**
   * A text of a request.
   *
   * @param field where it stands
   * @param text what was sent
   * @return the text
   * @throws ResponseStatusException if it is missing, too long or has control characters
   */
  public static String text(String field, @Nullable String text) {
    if (text == null || text.isBlank() || text.length() > LONGEST) {
      throw refusal(field + " must be given with at most " + LONGEST + " characters");
    }
    if (text.chars().anyMatch(Character::isISOControl)) {
      throw refusal(field + " must have no control characters");
    }
    return text;
  }

  /**
   * Refuses a request.
   *
   * @param reason field and rule
   * @return to be thrown
   */
  public static ResponseStatusException refusal(String reason) {
    return new ResponseStatusException(HttpStatus.BAD_REQUEST, reason);
  }
}
