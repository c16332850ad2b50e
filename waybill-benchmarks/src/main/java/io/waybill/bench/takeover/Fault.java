package io.waybill.bench.takeover;

import io.waybill.bench.measure.Pause;
import io.waybill.bench.stage.Candidate;
import java.time.Duration;
import java.util.Arrays;

/** What happens to relays, and what puts things right for the next round. */
enum Fault {
  /** One of two dies. */
  KILLED(Candidate.TAKEOVER_KILLED, 0, 1) {
    @Override
    void strike(Relays relays) {
      relays.kill(1);
    }
  },
  /** Two of three die at once. */
  TWO_KILLED(Candidate.TAKEOVER_TWO_KILLED, 0, 1) {
    @Override
    void strike(Relays relays) {
      relays.kill(2);
    }
  },
  /** One of two dies, and another takes its place at once. */
  BACK(Candidate.TAKEOVER_BACK, 1, 2) {
    @Override
    void strike(Relays relays) {
      relays.kill(1);
      Pause.of(AWAY);
      relays.start();
    }
  },
  /** One of two stands still, and goes on when the other has its keys. */
  FROZEN(Candidate.TAKEOVER_FROZEN, 0, 1) {
    @Override
    void strike(Relays relays) {
      relays.freeze();
    }

    @Override
    void mend(Relays relays) {
      relays.thaw();
      super.mend(relays);
    }
  },
  /** The network between one of two and the database carries nothing any more, without an end. */
  SILENCED(Candidate.TAKEOVER_SILENCED, 0, 1) {
    @Override
    void strike(Relays relays) {
      relays.silence();
    }

    @Override
    void mend(Relays relays) {
      relays.hear();
      super.mend(relays);
    }
  },
  /** One of three is told to stop. */
  STOPPED(Candidate.TAKEOVER_STOPPED, 0, 2) {
    @Override
    void strike(Relays relays) {
      relays.stopNewest();
    }
  },
  /** A third one begins beside two. */
  STARTED(Candidate.TAKEOVER_STARTED, 1, 3) {
    @Override
    void strike(Relays relays) {
      relays.start();
    }

    @Override
    void mend(Relays relays) {
      relays.stopNewest();
    }
  },
  /** Three are replaced in turn. */
  ROLLING(Candidate.TAKEOVER_ROLLING, 3, 3) {
    @Override
    void strike(Relays relays) {
      relays.replaceAll();
    }
  },
  /** The connection that holds the lock of one of two ends; both relays live. */
  LOCK_ENDED(Candidate.TAKEOVER_LOCK_ENDED, 0, 2) {
    @Override
    void strike(Relays relays) {
      relays.endLock();
    }
  },
  /** All connections of both relays end, every two seconds. */
  CUT(Candidate.TAKEOVER_CUT, 0, 2) {
    @Override
    void strike(Relays relays) {
      for (int i = 0; i < CUTS; i++) {
        relays.endConnections();
        Pause.of(BETWEEN_CUTS);
      }
    }
  };

  private static final int CUTS = 5;
  private static final Duration BETWEEN_CUTS = Duration.ofSeconds(2);
  private static final Duration AWAY = Duration.ofMillis(300);

  private final Candidate candidate;
  private final int spares;
  private final int left;

  Fault(Candidate candidate, int spares, int left) {
    this.candidate = candidate;
    this.spares = spares;
    this.left = left;
  }

  static Fault of(Candidate candidate) {
    return Arrays.stream(values())
        .filter(fault -> fault.candidate == candidate)
        .findFirst()
        .orElseThrow();
  }

  Candidate candidate() {
    return candidate;
  }

  /** Processes that have to be there before, so that their start does not count. */
  int spares() {
    return spares;
  }

  /** How many relays share the lanes afterwards. */
  int left() {
    return left;
  }

  abstract void strike(Relays relays);

  /** As many relays as at the beginning. */
  void mend(Relays relays) {
    relays.startUpTo(candidate.instances());
  }
}
