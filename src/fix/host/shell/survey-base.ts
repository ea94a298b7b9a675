import { ENCODE } from './told.ts';

/** Files beyond this are no configuration that podcause would edit. */
const MOST_BYTES = 4_000_000;

/** What the survey of a host is made of. */
export const HEAD = String.raw`#!/bin/sh
# Tells podcause what it must know of this host before it plans a change. Reads only: changes nothing, writes no file.
survey() {
R="\${PODCAUSE_ROOT:-}"
LC_ALL=C
PATH="$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/bin:/snap/bin"
SYSTEMD_COLORS=0
SYSTEMD_PAGER=''
SYSTEMD_IGNORE_CHROOT=1
export LC_ALL PATH SYSTEMD_COLORS SYSTEMD_PAGER SYSTEMD_IGNORE_CHROOT

has() { command -v "$1" >/dev/null 2>&1; }

if has timeout; then
  within() { timeout -s KILL "$@" </dev/null 2>/dev/null; }
else
  within() {
    shift
    "$@" </dev/null 2>/dev/null
  }
fi

${ENCODE}
digest() {
  if has sha256sum; then
    sha256sum <"$1"
  else
    openssl dgst -sha256 <"$1" | sed 's/.*= *//'
  fi 2>/dev/null | cut -c 1-64
}

real_path() {
  real=$(readlink -f "$R$1" 2>/dev/null) || real=$R$1
  root=$(readlink -f "$R/" 2>/dev/null)
  [ -z "$R" ] || real=\${real#"$root"}
  printf '%s' "\${real:-$1}"
}

show_file() {
  asked=$1
  at=$(real_path "$asked")
  file=$R$at
  if [ ! -e "$file" ]; then
    [ ! -L "$R$asked" ] || printf 'unread %s %s\n' "$(word "$asked")" dangling-link
    return 0
  fi
  if [ ! -f "$file" ]; then
    printf 'unread %s %s\n' "$(word "$asked")" not-a-file
    return 0
  fi
  size=$(wc -c <"$file" 2>/dev/null | tr -d ' ')
  if [ -z "$size" ] || [ "$size" -gt ${MOST_BYTES} ]; then
    printf 'unread %s %s\n' "$(word "$asked")" too-large-or-not-readable
    return 0
  fi
  printf 'file %s %s %s %s ' "$(word "$asked")" "$(word "$at")" "$(stat -c '%a %u:%g %Y' "$file")" "$(digest "$file")"
  encode <"$file"
  printf '\n'
}

flag_of() {
  wanted=$1
  take=
  shift
  for each in "$@"; do
    if [ -n "$take" ]; then
      printf '%s' "$each"
      return 0
    fi
    case $each in
      --"$wanted"=* | -"$wanted"=*)
        printf '%s' "\${each#*=}"
        return 0
        ;;
      --"$wanted" | -"$wanted") take=1 ;;
    esac
  done
}

# A process of a pod may call itself what it likes: only systemd's own word, or a process outside of all containers, counts.
is_of_host() {
  space=$(readlink "$1/ns/mnt" 2>/dev/null)
  [ -n "$space" ] || return 1
  [ "$space" = "$(readlink "$R/proc/1/ns/mnt" 2>/dev/null)" ] || [ "$space" = "$(readlink "$R/proc/self/ns/mnt" 2>/dev/null)" ]
}

process_of() {
  main=$(within 10 systemctl show -p MainPID "$2.service" | sed -n 's/^MainPID=\([1-9][0-9]*\)$/\1/p')
  if [ -n "$main" ]; then
    printf '%s' "$R/proc/$main"
    return 0
  fi
  for dir in "$R"/proc/[0-9]*; do
    name=
    { read -r name <"$dir/comm"; } 2>/dev/null
    [ "$name" = "$1" ] && is_of_host "$dir" || continue
    printf '%s' "$dir"
    return 0
  done
}

# The running daemon's own words, else what systemd would start.
arguments_of() {
  process=$(process_of "$1" "$2")
  if [ -n "$process" ]; then
    found=$({ tr '\000' ' ' <"$process/cmdline"; } 2>/dev/null)
    if [ -n "$found" ]; then
      printf '%s' "$found"
      return 0
    fi
  fi
  { within 10 systemctl show -p ExecStart -p Environment "$2.service" | sed -n 's/.*argv\[\]=\([^;]*\);.*/\1/p; s/^Environment=//p'
    [ "$1" != kubelet ] || cat "$R/var/lib/kubelet/kubeadm-flags.env" "$R/etc/default/kubelet" "$R/etc/sysconfig/kubelet" \
      "$R"/etc/systemd/system/kubelet.service.d/*.conf "$R"/usr/lib/systemd/system/kubelet.service.d/*.conf
  } 2>/dev/null | grep -v '^[[:space:]]*#' | tr '"\n' '  '
}

first_of() {
  for each in "$@"; do
    case $each in
      '' | *[!A-Za-z0-9/._:@+-]*) ;;
      /*)
        printf '%s' "$each"
        return 0
        ;;
    esac
  done
}
`;
