/** Shell text written in a raw template, where a dollar before a brace is kept from JavaScript by a backslash. */
export function shellText(raw: string): string {
  return raw.replaceAll('\\${', '${');
}

/** What every part uses: words to the caller, digests, durable writes. */
export const BASE = shellText(String.raw`
R=\${PODCAUSE_ROOT:-}
LC_ALL=C
PATH="$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/bin:/snap/bin"
SYSTEMD_COLORS=0
SYSTEMD_PAGER=''
SYSTEMD_IGNORE_CHROOT=1
export LC_ALL PATH SYSTEMD_COLORS SYSTEMD_PAGER SYSTEMD_IGNORE_CHROOT
umask 077
base=$R/var/lib/podcause
journal=$base/fixes/$id
state=$journal/state
lock=$base/lock
locked=
fresh=
interrupted=
force=
trouble=
stop_seconds=\${PODCAUSE_STOP_SECONDS:-40}

say() { printf '@podcause %s\n' "$*" 2>/dev/null || :; }
tell() { printf '%s\n' "$*" 2>/dev/null || :; }
# The last words of another program: set in, so that none of them passes for ours, and without what steers a terminal.
tell_last() { printf '%s\n' "$1" | tail -n 5 | tr -d '\000-\010\013-\037\177' | cut -c 1-300 | sed 's/^/  /' 2>/dev/null || :; }
has() { command -v "$1" >/dev/null 2>&1; }
now() { date -u +%Y-%m-%dT%H:%M:%SZ; }
pause() { sleep "\${PODCAUSE_TICK:-$1}"; }

# Named places where a test stops the program as a power cut would.
point() {
  [ "\${PODCAUSE_STOP_AT:-}" != "$1" ] || kill -9 "$$"
}

within() {
  seconds=$1
  shift
  if has timeout; then
    timeout -s KILL "$seconds" "$@" </dev/null
  else
    "$@" </dev/null
  fi
}

digest() {
  if has sha256sum; then
    sha256sum <"$1"
  else
    openssl dgst -sha256 <"$1" | sed 's/.*= *//'
  fi 2>/dev/null | cut -c 1-64
}

sha_of() {
  if [ -f "$1" ]; then digest "$1"; elif [ -e "$1" ]; then printf 'no-file'; else printf 'absent'; fi
}

# To the disk before going on: this file where sync can, else everything.
flush() { sync "$1" 2>/dev/null || sync; }

give_up_lock() {
  [ -n "$locked" ] || return 0
  rm -f "$lock"
  locked=
}

audit() {
  line="$(now) fix=$id report=$report who=$who host=$(uname -n) outcome=$1 what=$title"
  printf '%s\n' "$line" >>"$base/audit.log"
  flush "$base/audit.log"
  ! has logger || logger -t podcause "$line" 2>/dev/null || :
}

finish() {
  word=$1
  code=$2
  shift 2
  give_up_lock
  say "end $word $*"
  exit "$code"
}

refuse() {
  [ -f "$state" ] || [ -z "$locked" ] || rm -rf "$journal"
  finish refused 2 "$*"
}
`);

/** One run at a time. The lock is a file made complete elsewhere and linked into place, so that it never stands without its holder. */
export const LOCK = shellText(String.raw`
# A number is given again to another process: with its start it is the same one. Where that cannot be told it is 0.
started_at() { { sed 's/^.*) //' "/proc/$1/stat" 2>/dev/null | cut -d ' ' -f 20 | grep .; } || echo 0; }

is_alive() {
  [ -n "$1" ] && kill -0 "$1" 2>/dev/null || return 1
  [ "$2" = 0 ] || [ "$(started_at "$1")" = "$2" ]
}

holder_of() {
  lock_holder=
  lock_started=
  lock_fix=
  { read -r lock_holder lock_started lock_fix <"$lock"; } 2>/dev/null
}

# Only one at a time may clear away the lock of a run that is dead, and looks again before it does.
clear_dead_lock() {
  if ! mkdir "$lock.clearing" 2>/dev/null; then
    [ -z "$(find "$lock.clearing" -prune -mmin +1 2>/dev/null)" ] || rmdir "$lock.clearing" 2>/dev/null
    return 0
  fi
  holder_of
  if [ -n "$lock_holder" ]; then
    is_alive "$lock_holder" "$lock_started" || rm -f "$lock"
  elif [ -e "$lock" ] && [ ! -s "$lock" ]; then
    # A lock that a living run holds is never empty: a power cut made it so.
    rm -f "$lock"
  fi
  rmdir "$lock.clearing"
}

take_lock() {
  mkdir -p "$base/fixes" || finish refused 2 "cannot write to $base"
  mine=$base/lock.$$
  printf '%s %s %s\n' "$$" "$(started_at "$$")" "$id" >"$mine" || finish refused 2 "cannot write to $base"
  for try in 1 2 3; do
    if ln "$mine" "$lock" 2>/dev/null; then
      locked=1
      rm -f "$base"/lock.[0-9]*
      return 0
    fi
    holder_of
    if is_alive "$lock_holder" "$lock_started"; then
      rm -f "$mine"
      finish refused 75 "another run is under way: fix \${lock_fix:-unknown}, process $lock_holder"
    fi
    clear_dead_lock
  done
  rm -f "$mine"
  finish refused 75 "the lock $lock could not be had in $try tries"
}
`);

/** What was begun and done, a line each, on the disk before the thing itself. Lines since the last \`run\` are those of this run. */
export const JOURNAL = shellText(String.raw`
note() {
  [ -f "$state" ] || fresh=1
  # A power cut may have left half a line, or bytes of nothing.
  [ ! -s "$state" ] || [ "$(tail -c 1 "$state" | tr -d '\n' | wc -c)" -eq 0 ] || printf '\n' >>"$state"
  printf '%s\n' "$1" >>"$state" && flush "$state" || return 1
  [ -z "$fresh" ] || flush "$journal"
  fresh=
}

this_run() { [ ! -f "$state" ] || awk '$0 == "run" { kept = "" } { kept = kept $0 "\n" } END { printf "%s", kept }' "$state"; }
said() { this_run 2>/dev/null | grep -qxF "$1"; }

# new, running, undoing, rolling-back, done, undone, rolled-back
phase() {
  this_run 2>/dev/null | awk '
    $0 == "run" { phase = "running" }
    $0 == "undo" { phase = "undoing" }
    $0 == "rollback" { phase = "rolling-back" }
    $1 == "end" && ($2 == "done" || $2 == "undone" || $2 == "rolled-back") { phase = $2 }
    END { print phase == "" ? "new" : phase }'
}

# Facts of a step as they were before it, kept whole or not at all.
keep() {
  cat >"$journal/$n.was.part" && flush "$journal/$n.was.part" && mv "$journal/$n.was.part" "$journal/$n.was" && flush "$journal"
}

open_journal() {
  mkdir -p "$journal" && chmod 700 "$base" "$base/fixes" "$journal" || refuse "cannot write to $journal"
  if [ -f "$journal/plan" ]; then
    [ "$(cat "$journal/plan")" = "$plan" ] || refuse "the journal holds another plan under the name $id"
  else
    printf '%s\n' "$plan" >"$journal/plan.part" && flush "$journal/plan.part" && mv "$journal/plan.part" "$journal/plan"
  fi
  if [ ! -f "$journal/run.sh" ]; then
    podcause_program >"$journal/run.sh.part" && chmod 700 "$journal/run.sh.part" && flush "$journal/run.sh.part" \
      && mv "$journal/run.sh.part" "$journal/run.sh" || refuse "cannot keep a copy of this program in $journal"
  fi
  if [ ! -f "$journal/about" ]; then
    printf 'title %s\nreport %s\nwho %s\nat %s\n' "$title" "$report" "$who" "$(now)" >"$journal/about.part" && flush "$journal/about.part" \
      && mv "$journal/about.part" "$journal/about"
  fi
  for dir in "$journal" "$base/fixes" "$base" "\${base%/*}"; do flush "$dir"; done
}
`);
