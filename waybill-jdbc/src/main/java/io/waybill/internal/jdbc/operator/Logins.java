package io.waybill.internal.jdbc.operator;

import io.waybill.admin.Admin;
import io.waybill.internal.jdbc.kernel.Binding;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.table.TableTerms;
import io.waybill.store.StoreException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Logins of browsers, in a table beside an outbox. Times are the database's. For one thread. */
public final class Logins {
  /** A user has as many at a time; the oldest ends for the next. */
  public static final int MOST_OF_A_USER = 20;

  // Uses are written as often within the idle time, not each of them.
  private static final int WRITTEN = 30;
  private static final Set<String> MISSING_STATES = Set.of("42P01", "3F000", "42S02");

  private final Queries queries;
  private final SqlDialect dialect;
  private final TableTerms terms;
  private final Life life;

  /**
   * How long a login lasts.
   *
   * @param idle after its last use, give or take a thirtieth
   * @param lifetime after its begin, used or not
   */
  public record Life(Duration idle, Duration lifetime) {}

  /**
   * A login.
   *
   * @param name of the user
   * @param roles what an issuer gave; null for a user whose roles are looked up each time
   * @param proof what nobody can make up who writes the table alone
   */
  public record Login(String name, @Nullable String roles, String proof) {}

  /** There is no table that can be used: what is missing, one sentence. */
  public static final class MissingTableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MissingTableException(String table, StoreException cause) {
      super(
          "Browsers cannot log in: table %s is missing, or the database user may not change it;"
                  .formatted(table)
              + " fix: waybill schema apply, or what waybill schema print --login-grant ROLE prints",
          cause);
    }
  }

  private Logins(Queries queries, TableTerms terms, Life life) {
    this.queries = queries;
    this.dialect = queries.dialect();
    this.terms = terms;
    this.life = life;
  }

  /**
   * The logins beside an outbox, on the connection of its operators' view.
   *
   * @param admin the view
   * @param life how long they last
   * @throws IllegalArgumentException if it is not one of a database
   */
  public static Logins of(Admin admin, Life life) {
    JdbcAdmin.Parts parts = JdbcAdmin.of(admin).parts();
    return new Logins(parts.queries(), parts.terms(), life);
  }

  /**
   * Begins a login, and forgets those that have ended.
   *
   * @param tokenHash hash of what its cookie has
   * @param login whose it is
   * @throws MissingTableException without the table
   */
  public void begin(String tokenHash, Login login) {
    forget();
    with(
        () ->
            queries
                .database()
                .transaction(
                    "begin a login",
                    statements -> {
                      removeOldest(statements.prepare(oldest()), login.name());
                      return insert(statements.prepare(insertion()), tokenHash, login);
                    }));
  }

  private int removeOldest(PreparedStatement statement, String name) throws SQLException {
    new Binding(statement, dialect).text(name);
    return statement.executeUpdate();
  }

  private int insert(PreparedStatement statement, String tokenHash, Login login)
      throws SQLException {
    Binding binding = new Binding(statement, dialect);
    binding.text(tokenHash);
    binding.text(login.name());
    binding.text(login.roles());
    binding.text(login.proof());
    return statement.executeUpdate();
  }

  /** MySQL reads the table that it deletes from only through a derived one. */
  private String oldest() {
    return sql(
        """
        delete from ${login} where token_hash in (
          select x.token_hash from (
            select l.token_hash from ${login} l where l.name = ?
            order by l.began_at desc, l.token_hash limit 1000 offset ${kept}) x)"""
            .replace("${kept}", Integer.toString(MOST_OF_A_USER - 1)));
  }

  private String insertion() {
    return sql(
        """
        insert into ${login} (token_hash, name, roles, proof, began_at, used_at)
        values (?, ?, ?, ?, ${now}, ${now})"""
            .replace("${now}", dialect.clock()));
  }

  /**
   * Looks for a login that has not ended.
   *
   * @param tokenHash hash of what its cookie has
   * @param used whether it stays alive by that
   * @throws MissingTableException without the table
   */
  public Optional<Login> find(String tokenHash, boolean used) {
    Optional<Found> found =
        with(
            () ->
                queries
                    .list(
                        "look for a login",
                        sql(
                            """
                            select l.name, l.roles, l.proof,
                              case when l.used_at < ${earlier} then 1 else 0 end
                            from ${login} l
                            where l.token_hash = ? and l.used_at > ${idle}
                              and l.began_at > ${first}"""
                                .replace("${earlier}", ago(life.idle().dividedBy(WRITTEN)))),
                        binding -> binding.text(tokenHash),
                        result ->
                            new Found(
                                new Login(
                                    result.getString(1), result.getString(2), result.getString(3)),
                                result.getInt(4) == 1))
                    .stream()
                    .findFirst());
    if (used && found.filter(Found::stale).isPresent()) {
      change(
          "keep a login",
          "update ${login} set used_at = %s where token_hash = ?".formatted(dialect.clock()),
          binding -> binding.text(tokenHash));
    }
    return found.map(Found::login);
  }

  private record Found(Login login, boolean stale) {}

  /**
   * Ends a login everywhere.
   *
   * @param tokenHash hash of what its cookie has
   * @throws MissingTableException without the table
   */
  public void end(String tokenHash) {
    change(
        "end a login",
        "delete from ${login} where token_hash = ?",
        binding -> binding.text(tokenHash));
  }

  /**
   * Forgets those that have ended by time.
   *
   * @return how many
   * @throws MissingTableException without the table
   */
  public int forget() {
    return change(
        "forget logins",
        "delete from ${login} where used_at <= ${idle} or began_at <= ${first}",
        Queries.Binder.NOTHING);
  }

  private int change(String what, String template, Queries.Binder binder) {
    return with(() -> queries.change(what, sql(template), binder));
  }

  private <T> T with(Supplier<T> work) {
    try {
      return work.get();
    } catch (StoreException e) {
      if (e.getCause() instanceof SQLException sql
          && (MISSING_STATES.contains(String.valueOf(sql.getSQLState()))
              || MissingGrantException.isDenied(sql))) {
        throw new MissingTableException(terms.names().prefix() + "login", e);
      }
      throw e;
    }
  }

  private String sql(String template) {
    return terms.sql(
        template.replace("${idle}", ago(life.idle())).replace("${first}", ago(life.lifetime())));
  }

  private String ago(Duration age) {
    return dialect.later(dialect.clock(), Long.toString(-age.toNanos() / 1000));
  }
}
