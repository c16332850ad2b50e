package io.waybill.spring.modulith;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.expression.Expression;
import org.springframework.expression.ParserContext;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/** Expressions in Modulith's targets and keys, over the object that is sent. Thread-safe. */
final class Expressions {
  private final SpelExpressionParser parser = new SpelExpressionParser();
  private final Map<String, Expression> parsed = new ConcurrentHashMap<>();
  private final BeanFactory beans;

  Expressions(BeanFactory beans) {
    this.beans = beans;
  }

  /** The text with its expressions, if it has any, evaluated. */
  @Nullable String text(@Nullable String template, Object sent) {
    if (template == null || !template.contains("#{")) {
      return template;
    }
    StandardEvaluationContext context = new StandardEvaluationContext(sent);
    context.setBeanResolver(new BeanFactoryResolver(beans));
    return parsed
        .computeIfAbsent(
            template, text -> parser.parseExpression(text, ParserContext.TEMPLATE_EXPRESSION))
        .getValue(context, String.class);
  }
}
