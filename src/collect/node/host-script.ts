import { HOST_PROBES } from './host-probes.ts';
import { PRELUDE } from './prelude.ts';
import type { HostProbe } from './probe.ts';
import { redactionCommand } from './redactions.ts';

/** Printed where a command did not end in time. */
export function noAnswer(seconds: number): string {
  return `podcause: no answer within ${seconds} s`;
}

const HEAD = `#!/bin/sh
# Prints what only this host knows, for podcause. Reads only: changes nothing, writes no file.
# Usage: sudo sh THIS | podcause -     (PODCAUSE_NODE=NAME sets the node's name)
`;

/**
 * coreutils' `timeout` ends a command with all it started; busybox's leaves those behind, and they would hold the pipe open. Without
 * the former a watcher in the background does it.
 */
const FUNCTIONS = String.raw`
export node daemons kubelet_args kubelet_program kubelet_config kubelet_root cert_dir containerd_args containerd_config
export containerd_socket dockerd_args cri_socket

end_tree() {
  for below in $({ cat "/proc/$1/task/$1/children"; } 2>/dev/null; kill -9 "$1" 2>/dev/null); do
    end_tree "$below"
  done
}

if timeout --version 2>/dev/null | grep -q coreutils; then
  within() { timeout -k 1 "$1" sh -c "$2" 2>&1; }
else
  within() {
    sh -c "$2" 2>&1 &
    command_pid=$!
    (
      sleep "$1" &
      sleep_pid=$!
      trap 'kill "$sleep_pid"; exit 0' TERM
      wait "$sleep_pid"
      trap '' TERM
      end_tree "$command_pid"
    ) >/dev/null 2>&1 &
    watcher_pid=$!
    wait "$command_pid"
    status=$?
    kill "$watcher_pid" 2>/dev/null
    wait "$watcher_pid" 2>/dev/null
    return "$status"
  }
fi

clean() { REDACT; }

look() {
  printf '\n%s\n' "root@$node:~# $4"
  {
    within "$1" "$5" </dev/null
    case $? in 124 | 137 | 143) printf '\npodcause: no answer within %s s\n' "$1" ;; esac
  } 2>/dev/null | "$3" -c "$2" | clean
}
`;

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Shown commands hold names of variables and plain text only. */
function shown(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('`', '\\`')}"`;
}

function step(probe: HostProbe): string {
  const { seconds, bytes, keep, shows, runs, when, each } = probe;
  const call = `look ${seconds} ${bytes} ${keep} ${shown(shows)} ${quoted(runs ?? shows)}`;
  const body = each
    ? [`for file in ${each.join(' ')}; do`, '  [ -e "$file" ] || continue', '  export file', `  ${call}`, 'done'].join('\n')
    : call;
  return when ? `if ${when}; then\n${body}\nfi` : body;
}

/**
 * One POSIX script, made of the same probes, for hosts without Node.js: `podcause node --script | ssh HOST sudo sh -s`. It is one
 * function, so that it is read to its end before anything runs: a script fed by a pipe shares its input with what it starts.
 */
export function hostScript(probes: readonly HostProbe[] = HOST_PROBES): string {
  const functions = FUNCTIONS.replace('REDACT', () => redactionCommand());
  const steps = probes.map(step).join('\n');
  return `${HEAD}look_at_host() {\n${PRELUDE}${functions}\n${steps}\n}\nlook_at_host\n`;
}
