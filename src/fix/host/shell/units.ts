import { shellText } from './base.ts';

/** Units: restarted one after the other, and waited for until they are well. */
export const UNITS = shellText(String.raw`
unit_property() { within 15 systemctl show -p "$2" "$1" 2>/dev/null | sed -n "s/^$2=//p" | sed 1q; }

# A daemon that does not hear is ended the hard way; its containers have processes of their own. One that is slow to begin is waited for.
run_unit() {
  verb=$1
  unit=$2
  within 30 systemctl reset-failed "$unit" >/dev/null 2>&1 || :
  called=0
  output=$(within "$stop_seconds" systemctl "$verb" "$unit" 2>&1) || called=$?
  if [ "$called" = 137 ] && [ "$(unit_property "$unit" ActiveState)" = deactivating ]; then
    tell "$unit did not stop within $stop_seconds s: its main process is killed"
    within 15 systemctl kill --kill-who=main --signal=KILL "$unit" 2>/dev/null || :
    called=0
    output=$(within "$stop_seconds" systemctl "$verb" "$unit" 2>&1) || called=$?
  fi
  case $called in
    0 | 137) return 0 ;;
  esac
  tell_last "$output"
  return 1
}

cri_state() {
  has ctr || return 0
  within 5 ctr --address "$R$containerd_socket" plugins ls 2>/dev/null | awk '$2 == "cri" { print $NF }' | sed 1q
}

answers() {
  case $1 in
    containerd)
      if has ctr; then
        within 5 ctr --address "$R$containerd_socket" version >/dev/null 2>&1 || return 1
        [ "$(cri_state)" != error ] || [ "$(sed -n 's/^cri //p' "$journal/$n.was" 2>/dev/null)" = error ]
      elif has crictl; then
        within 5 crictl --runtime-endpoint "unix://$R$containerd_socket" version >/dev/null 2>&1
      fi
      ;;
    docker) ! has docker || within 5 docker version >/dev/null 2>&1 ;;
    kubelet) kubelet_answers ;;
  esac
}

# By its file, unless its flags say otherwise.
kubelet_setting() {
  flag=$({ tr '\000' '\n' <"$R/proc/$(unit_property kubelet MainPID)/cmdline"; } 2>/dev/null | sed -n "s/^--$2=//p" | sed 1q)
  [ -n "$flag" ] || flag=$(sed -n "s/^$1: *[\"']\{0,1\}\([0-9A-Fa-f.:]*\).*/\1/p" "$R$kubelet_config" 2>/dev/null | sed 1q)
  printf '%s' "\${flag:-$3}"
}

kubelet_answers() {
  port=$(kubelet_setting healthzPort healthz-port 10248)
  [ "$port" != 0 ] || return 0
  address=$(kubelet_setting healthzBindAddress healthz-bind-address 127.0.0.1)
  case $address in
    0.0.0.0 | ::) address=127.0.0.1 ;;
    *:*) address="[$address]" ;;
  esac
  if has curl; then
    within 5 curl -fsS --noproxy '*' -o /dev/null "http://$address:$port/healthz" 2>/dev/null
  elif has wget; then
    within 5 env -u http_proxy wget -q -O /dev/null "http://$address:$port/healthz" 2>/dev/null
  fi
}

# A unit that does one thing and ends is well when that went well.
runs() {
  ! within 15 systemctl is-active --quiet "$1" || return 0
  [ "$(unit_property "$1" Type)" = oneshot ] && [ "$(unit_property "$1" ActiveState)" = inactive ] && [ "$(unit_property "$1" Result)" = success ]
}

# Not worth waiting for: systemd has given up, or has started it again and again since.
fails_for_good() {
  restarts=$(unit_property "$1" NRestarts)
  [ "\${restarts:-0}" -ge 3 ] 2>/dev/null || [ "$(unit_property "$1" ActiveState)" = failed ]
}

# Well means: active with one and the same process at three looks in a row, and answering at each.
wait_well() {
  unit=$1
  good=0
  bad=0
  pid_before=
  looks=0
  until_time=$(($(date +%s) + health_seconds))
  while [ "$looks" -lt "$health_seconds" ] && [ "$(date +%s)" -le "$until_time" ]; do
    pid=$(unit_property "$unit" MainPID)
    if runs "$unit" && { [ "$good" = 0 ] || [ "$pid" = "$pid_before" ]; } && answers "$unit"; then
      good=$((good + 1))
    else
      good=0
    fi
    pid_before=$pid
    [ "$good" -lt 3 ] || return 0
    if fails_for_good "$unit"; then bad=$((bad + 1)); else bad=0; fi
    [ "$bad" -lt 3 ] || return 1
    looks=$((looks + 1))
    pause 1
  done
  return 1
}

units_in_place() {
  for unit in $units; do
    case $action in
      start) within 15 systemctl is-active --quiet "$unit" || return 1 ;;
      enable) within 15 systemctl is-enabled --quiet "$unit" 2>/dev/null || return 1 ;;
      restart) return 1 ;;
    esac
  done
}

known() { unit_property "$1" "$2" | grep . || printf 'none\n'; }

# A kubelet that was there before its runtime lost the CRI goes on, but does not come up again: nobody expects it to.
lives_on_borrowed_time() {
  [ "$1" = kubelet ] && has ctr || return 1
  case " $units " in *' containerd '*) [ "$(cri_state)" != ok ] ;; *) return 1 ;; esac
}

# How each was: its state, whether it starts with the host, whether it answered.
units_save() {
  {
    : >"$journal/$n.was"
    for unit in $units; do
      well=no
      ! within 15 systemctl is-active --quiet "$unit" || fails_for_good "$unit" || ! answers "$unit" || well=yes
      ! lives_on_borrowed_time "$unit" || well=no
      printf 'unit %s %s %s %s\n' "$unit" "$(known "$unit" ActiveState)" "$(known "$unit" UnitFileState)" "$well"
      [ "$unit" != containerd ] || printf 'cri %s\n' "$(cri_state)"
    done
  } | keep
}

# A runtime that is restarted while the kubelet has it make a container leaves half of one behind, in a control group of the old driver.
hold_kubelet() {
  [ "$action" = restart ] || return 0
  case $units in kubelet) ;; *kubelet)
    within 40 systemctl stop kubelet || :
    pause 3
    ;;
  esac
}

units_act() {
  hold_kubelet
  for unit in $units; do
    if [ "$action" = enable ]; then
      output=$(within 40 systemctl enable "$unit" 2>&1) || {
        tell_last "$output"
        trouble="$unit could not be enabled"
        return 1
      }
      continue
    fi
    if ! run_unit "$action" "$unit"; then
      trouble="systemctl $action $unit failed"
      return 1
    fi
    point "$n.called"
    if ! wait_well "$unit"; then
      trouble="$unit was not well after systemctl $action"
      return 1
    fi
  done
}

# Before anything else is taken back: units that did not run, or did not start with the host, are as they were again.
units_leave() {
  [ -f "$journal/$n.was" ] || return 0
  while read -r word unit active enabled well; do
    [ "$word" = unit ] || continue
    if [ "$action" = enable ]; then
      case $enabled in disabled | none) within 40 systemctl disable "$unit" >/dev/null 2>&1 || : ;; esac
      continue
    fi
    case $active in active | activating | reloading) ;; *) within 60 systemctl stop "$unit" >/dev/null 2>&1 || : ;; esac
  done <"$journal/$n.was"
}

# After all else is taken back: a unit that ran runs again with what was restored, and is as well as it was.
units_undo() {
  [ -f "$journal/$n.was" ] && [ "$action" != enable ] && [ -n "$others" ] || return 0
  hold_kubelet
  while read -r word unit active enabled well; do
    [ "$word" = unit ] || continue
    case $active in active | activating | reloading) ;; *) continue ;; esac
    run_unit restart "$unit" || :
    if [ "$well" = yes ] && ! wait_well "$unit"; then
      trouble="$unit is not well with what it had before either"
    fi
  done <"$journal/$n.was"
  [ -z "$trouble" ]
}
`);
