import { shellWord } from '../reason/shell-word.ts';

export type Mode = 'apply' | 'undo';

const FOLDER = '/run/podcause';

/**
 * Hands a script to the host and follows it. It runs as a unit of its own, so that a lost connection, a closed terminal
 * or the end of the pod that brought it does not stop it half-way; asked again, it is only followed.
 */
export function launchScript(script: string, id: string, mode: Mode, seconds: number): string {
  const name = `${id}.${mode}`;
  return `set -u
root=\${PODCAUSE_ROOT:-}
folder=$root${FOLDER}
unit=podcause-${name.replace('.', '-')}
export SYSTEMD_IGNORE_CHROOT=1
mkdir -p "$folder" && chmod 700 "$folder" || { echo '@podcause end refused cannot write to ${FOLDER}'; exit 1; }
script=$folder/${name}.sh
log=$folder/${name}.log
pid=$folder/${name}.pid
begin=$folder/${name}.begin
runs() { [ -s "$pid" ] && kill -0 "$(cat "$pid")" 2> /dev/null; }
if ! runs; then
  : > "$log"
  rm -f "$pid"
  printf '%s' ${shellWord(Buffer.from(script).toString('base64'))} | base64 -d > "$script.new" && mv "$script.new" "$script"
  # In a file of its own, since systemd would take the dollar signs of a command line for its own.
  printf 'echo $$ > %s\\nexec /bin/sh %s ${mode} > %s 2>&1 < /dev/null\\n' "$pid" "$script" "$log" > "$begin"
  if [ -z "$root" ] && command -v systemd-run > /dev/null 2>&1 &&
    systemd-run --quiet --collect --unit="$unit" /bin/sh "$begin" 2> /dev/null; then :
  elif command -v setsid > /dev/null 2>&1; then setsid /bin/sh "$begin" &
  else /bin/sh "$begin" &
  fi
  # A busy host takes its time to start it.
  waited=0
  until [ -s "$pid" ] || [ "$waited" -ge 60 ]; do
    sleep 0.3 2> /dev/null || sleep 1
    waited=$((waited + 1))
  done
fi
from=1
left=${seconds * 2}
while [ "$left" -gt 0 ]; do
  # Asked before the log is read: what it says last is then among what is read.
  now=running
  runs || now=gone
  if grep -q '^@podcause end ' "$log"; then now=ended; fi
  all=$(($(wc -c < "$log")))
  if [ "$all" -ge "$from" ]; then tail -c +"$from" "$log" | head -c $((all - from + 1)); from=$((all + 1)); fi
  case $now in
    ended) rm -f "$script" "$pid" "$begin"; exit 0 ;;
    gone) echo '@podcause end unknown it was stopped in the middle'; exit 0 ;;
  esac
  sleep 0.5 2> /dev/null || sleep 1
  left=$((left - 1))
done
echo '@podcause end unknown it still runs on the host; its log is ${FOLDER}/${name}.log'
`;
}

/** `stuck`: something could neither be done nor be taken back; a person has to look. */
export type Ending = 'done' | 'already' | 'rolled-back' | 'refused' | 'undone' | 'stuck' | 'unknown';

export interface HostOutcome {
  readonly ending: Ending;
  readonly says: string;
  readonly log: string;
}

const ENDINGS: ReadonlySet<string> = new Set<Ending>(['done', 'already', 'rolled-back', 'refused', 'undone', 'stuck', 'unknown']);

/** What the script said last; one that went silent is unknown, never done. */
export function outcomeOf(log: string): HostOutcome {
  const last = log.split('\n').findLast((line) => line.startsWith('@podcause end '));
  const { ending, says } = /^@podcause end (?<ending>[a-z-]+) ?(?<says>.*)$/.exec(last ?? '')?.groups ?? {};
  if (ending === undefined || !ENDINGS.has(ending)) {
    return { ending: 'unknown', says: lastWords(log) ?? 'the host did not say how it ended', log };
  }
  return { ending: ending as Ending, says: says ?? '', log };
}

function lastWords(log: string): string | undefined {
  return log
    .split('\n')
    .filter((line) => line.trim() !== '')
    .at(-1)
    ?.slice(0, 300);
}
