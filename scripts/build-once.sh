# shellcheck shell=sh
# Sourced by scripts that compile what they start.

# build_once LOCK STALE BUILD: calls BUILD if STALE says so, one caller at a time for the file LOCK;
# who had to wait finds it built. A machine without flock does without.
build_once() {
  exec 9<"$1"
  if "$2" && command -v flock >/dev/null; then
    flock 9
  fi
  if "$2"; then
    "$3"
  fi
  # Closed, so that what is started does not hold the lock.
  exec 9<&-
}
