package io.waybill.spring.internal.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Somebody who listens, told by server-sent events of what has changed since the last one. Nobody
 * is waited for: who is slow misses what came between. The server's own threads never wait here.
 */
final class Listener implements WriteListener, AsyncListener {
  /** Its media type. */
  static final String TYPE = "text/event-stream";

  private static final long QUIET = TimeUnit.SECONDS.toNanos(15);
  private static final long STUCK = TimeUnit.SECONDS.toNanos(30);
  // Then it logs in anew: its rights may have changed.
  private static final long LONGEST = TimeUnit.MINUTES.toNanos(5);

  private final AsyncContext context;
  private final ServletOutputStream out;
  private final Feed feed;
  private final AtomicBoolean begun = new AtomicBoolean();
  private final long since = System.nanoTime();
  private final AtomicBoolean left = new AtomicBoolean();
  private volatile boolean gone;
  private final Function<Object, String> news;
  private long told = System.nanoTime();

  private Listener(
      AsyncContext context, ServletOutputStream out, Feed feed, Function<Object, String> news) {
    this.context = context;
    this.out = out;
    this.feed = feed;
    this.news = news;
  }

  /** From here on the server says when it can write, and when it has ended. */
  static void start(
      Feed feed,
      Function<Object, String> news,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    response.setContentType(TYPE);
    // Nginx would keep events back.
    response.setHeader("X-Accel-Buffering", "no");
    if (request.getMethod().equals("HEAD")) {
      return;
    }
    feed.enter();
    try {
      AsyncContext context = request.startAsync(request, response);
      context.setTimeout(0);
      Listener listener = new Listener(context, response.getOutputStream(), feed, news);
      context.addListener(listener);
      listener.out.setWriteListener(listener);
    } catch (IOException | RuntimeException e) {
      feed.leave();
      throw e;
    }
  }

  /**
   * Tells what is new, or that it lives; returns whether somebody listens.
   *
   * @param said what a look has found, or a problem
   */
  synchronized boolean tell(Object said) {
    long now = System.nanoTime();
    try {
      if (left.get()) {
        return false;
      } else if (now - since > LONGEST) {
        end();
      } else if (out.isReady()) {
        write(news.apply(said), now);
      } else if (now - told > STUCK) {
        end();
      }
    } catch (IOException | RuntimeException e) {
      // It is gone, which its server has not told yet.
      end();
    }
    return !left.get();
  }

  private void write(String text, long now) throws IOException {
    String sent = text.isEmpty() && now - told > QUIET ? ": still here\n\n" : text;
    if (!sent.isEmpty()) {
      told = now;
      out.write(sent.getBytes(UTF_8));
      if (out.isReady()) {
        out.flush();
      }
    }
  }

  /** Ends the stream, if it has not ended. */
  synchronized void end() {
    if (leave() && !gone) {
      try {
        context.complete();
      } catch (IllegalStateException e) {
        // The server has ended it meanwhile.
      }
    }
  }

  /** Whether it had not left before. */
  private boolean leave() {
    boolean first = left.compareAndSet(false, true);
    if (first) {
      feed.leave();
    }
    return first;
  }

  /** The first time nobody else writes yet. */
  @Override
  public void onWritePossible() throws IOException {
    if (out.isReady() && begun.compareAndSet(false, true)) {
      out.write(": listening\n\n".getBytes(UTF_8));
      if (out.isReady()) {
        out.flush();
      }
      feed.begin(this);
    }
  }

  @Override
  public void onError(Throwable cause) {
    gone();
  }

  @Override
  public void onComplete(AsyncEvent event) {
    gone();
  }

  @Override
  public void onError(AsyncEvent event) {
    gone();
  }

  @Override
  public void onTimeout(AsyncEvent event) {
    gone();
  }

  @Override
  public void onStartAsync(AsyncEvent event) {
    // It is not started again.
  }

  private void gone() {
    gone = true;
    boolean unused = leave();
  }
}
