import { shellText } from './base.ts';

/** The course of a run: everything is tried first, then done step by step, and taken back whole if one fails. */
export const MAIN = shellText(String.raw`
# What leaves no trace to look at: done when the journal says so, unless this call changed something before it.
once_only() {
  [ "$kind" != kubeadm ] || return 0
  [ "$kind" = units ] && [ "$action" = restart ] && [ -z "$changed" ]
}

# A file left beside its target by a run that was killed.
sweep() {
  for n in $(numbers); do
    load "$n"
    case $kind in edit | create | remove) rm -f "$(beside "$R$path")" ;; esac
  done
}

try_all() {
  free=$(df -Pk "$base" | awk 'NR == 2 { print $4 }')
  [ "\${free:-0}" -ge "$need_kilobytes" ] || refuse "only \${free:-0} kB are free in $base, and $need_kilobytes kB are needed"
  # Modules bring settings of the kernel, packages bring modules and units: what follows them cannot be looked for yet.
  may_bring=
  for n in $(numbers); do
    load "$n"
    if in_place || { said "done $n" && once_only; }; then continue; fi
    try || refuse "step $n of $count: $trouble. Nothing was changed by this call"
    case $kind in module | package) may_bring=1 ;; esac
  done
}

one_step() {
  load "$n"
  if said "done $n" && once_only; then
    say "step $n/$count skipped $says"
    return 0
  elif in_place; then
    if said "begin $n" && ! said "done $n"; then
      # Killed between the thing and its note: what follows from it is still owed.
      [ -z "$path" ] || reload_units
      note "done $n"
    fi
    say "step $n/$count skipped $says"
    return 0
  fi
  say "step $n/$count begin $says"
  if ! said "begin $n"; then
    save || {
      trouble=\${trouble:-"what was before step $n could not be kept"}
      return 1
    }
    point "$n.saved"
    note "begin $n" || return 1
  fi
  point "$n.begun"
  act || {
    trouble=\${trouble:-"step $n failed"}
    return 1
  }
  point "$n.acted"
  changed=1
  note "done $n" || return 1
  point "$n.done"
  say "step $n/$count done $says"
}

apply() {
  changed=
  case $(phase) in
    undoing) take_back undone ;;
    rolling-back)
      trouble='an earlier run failed'
      take_back rolled-back
      ;;
  esac
  try_all
  came_from=$(phase)
  case $came_from in running | done) ;; *) note run ;; esac
  point start.noted
  for n in $(numbers); do
    [ -z "$interrupted" ] || trouble='it was told to stop'
    if [ -n "$interrupted" ] || ! one_step; then
      note rollback
      point rollback.noted
      take_back rolled-back
    fi
  done
  if [ -z "$changed" ] && [ "$came_from" = done ]; then
    finish already 0 'everything is in place'
  fi
  point end.before
  note 'end done'
  audit done
  [ -n "$changed" ] || [ "$came_from" = running ] || finish already 0 'everything was in place'
  finish done 0 "undo: sh $journal/run.sh undo"
}

status() {
  for n in $(numbers); do
    load "$n"
    word=pending
    ! said "begin $n" || word=begun
    ! said "done $n" || word=done
    ! said "undone $n" || word=undone
    say "step $n/$count $word $says"
  done
  say "status $(phase) $title"
}

main() {
  case \${1:-apply} in
    boundaries) boundaries ;;
    status) status ;;
    apply | undo)
      [ "$(id -u)" = 0 ] || finish refused 2 'this must be run as root'
      [ "\${2:-}" != force ] || force=1
      trap '' HUP PIPE
      trap 'interrupted=1' INT TERM
      take_lock
      point start.locked
      sweep
      if [ "\${1:-apply}" = undo ]; then
        [ -f "$state" ] || refuse 'nothing was done here under this name'
        undo_all
      fi
      open_journal
      apply
      ;;
    *) finish refused 64 'usage: sh SCRIPT [apply | undo [force] | status | boundaries]' ;;
  esac
}
`);
