import { shellText } from './base.ts';

/** The way back, of one's own will or after a step that failed: the last step first, units at the end. */
export const BACK = shellText(String.raw`
# Was anything but units begun? Then units must run again with what was restored.
others_begun() {
  for each in $(numbers); do
    load "$each"
    [ "$kind" = units ] || ! said "begin $each" || return 0
  done
  return 1
}

undo_step() {
  load "$n"
  said "begin $n" && ! said "undone $n" || return 0
  point "undo.$n.before"
  trouble=
  if undo; then
    note "undone $n"
    point "undo.$n.done"
    say "step $n/$count undone $says"
  else
    failed="$failed \${trouble:-step $n could not be taken back};"
  fi
}

take_back() {
  outcome=$1
  reason=$trouble
  failed=
  others=
  ! others_begun || others=1
  for n in $(backwards); do
    load "$n"
    if [ "$kind" = units ] && said "begin $n" && ! said "undone $n"; then units_leave; fi
  done
  for n in $(backwards); do
    load "$n"
    [ "$kind" = units ] || undo_step
  done
  for n in $(numbers); do
    load "$n"
    [ "$kind" != units ] || undo_step
  done
  if [ -n "$failed" ]; then
    audit stuck
    finish stuck 70 "\${reason:+$reason; }not all could be taken back:$failed see $journal"
  fi
  point undo.end
  note "end $outcome"
  audit "$outcome"
  [ "$outcome" = undone ] || finish rolled-back 1 "$reason; everything is as it was before"
  finish undone 0 'everything is as it was before'
}

undo_all() {
  case $(phase) in
    new) refuse 'nothing was done here under this name' ;;
    undone | rolled-back) finish undone 0 'it was taken back already' ;;
    rolling-back)
      trouble='an earlier run failed'
      take_back rolled-back
      ;;
  esac
  for n in $(numbers); do
    load "$n"
    case $kind in edit | create | remove) ;; *) continue ;; esac
    if said "begin $n" && ! said "undone $n" && [ "$(file_state)" = other ] && [ -z "$force" ]; then
      refuse "$path was changed since by someone else or by a later fix: undo would lose that (undo force does it all the same)"
    fi
  done
  [ "$(phase)" = undoing ] || note undo
  point undo.noted
  trouble=
  take_back undone
}
`);
