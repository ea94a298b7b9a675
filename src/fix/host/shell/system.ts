import { shellText } from './base.ts';

/** Packages, kernel modules, kernel settings, AppArmor profiles. */
export const SYSTEM = shellText(String.raw`
package_in_place() {
  case $manager in
    apt-get) dpkg-query -W -f '\${Status}\n' "$name" 2>/dev/null | grep -q 'ok installed$' ;;
    apk) apk info -e "$name" >/dev/null 2>&1 ;;
    *) rpm -q "$name" >/dev/null 2>&1 ;;
  esac
}

package_save() {
  if package_in_place; then printf 'installed\n'; else printf 'absent\n'; fi | keep
}

apt() {
  DEBIAN_FRONTEND=noninteractive apt-get -y -o DPkg::Lock::Timeout=60 -o Acquire::http::Timeout=30 -o Acquire::Retries=1 -o Dpkg::Options::=--force-confdef \
    -o Dpkg::Options::=--force-confold "$@" </dev/null
}

package_install() {
  case $manager in
    apt-get)
      # An installation that was cut off is finished first.
      [ -z "$(dpkg --audit 2>/dev/null)" ] || DEBIAN_FRONTEND=noninteractive dpkg --configure -a </dev/null
      ls "$R"/var/lib/apt/lists/*_Packages* >/dev/null 2>&1 || apt update
      apt install --no-install-recommends "$name" || { apt update && apt install --no-install-recommends "$name"; }
      ;;
    dnf | yum) "$manager" install -y "$name" </dev/null ;;
    zypper) zypper --non-interactive install --no-recommends "$name" </dev/null ;;
    apk) apk add "$name" </dev/null ;;
  esac
}

package_act() {
  if ! output=$(package_install 2>&1) || ! package_in_place; then
    tell_last "$output"
    trouble="$manager could not install $name"
    return 1
  fi
  if [ -n "$brings" ] && ! has "$brings"; then
    trouble="$name is installed and brings no $brings"
    return 1
  fi
}

# The lower tools refuse to remove what others need by now, where the managers would remove those too.
package_remove() {
  case $manager in
    apt-get) DEBIAN_FRONTEND=noninteractive dpkg --remove "$name" ;;
    apk) apk del "$name" ;;
    *) rpm -e "$name" ;;
  esac </dev/null
}

package_undo() {
  [ "$(cat "$journal/$n.was" 2>/dev/null)" = absent ] && package_in_place || return 0
  if ! output=$(package_remove 2>&1); then
    tell_last "$output"
    trouble="$name could not be removed"
    return 1
  fi
}

# What is built into the kernel need not be listed among its modules.
is_built_in() { tr - _ <"$R/lib/modules/$(uname -r)/modules.builtin" | grep -q "/$1\.ko"; }
module_in_place() {
  listed=$(printf '%s' "$name" | tr - _)
  [ -d "$R/sys/module/$listed" ] || { is_built_in "$listed"; } 2>/dev/null
}
module_try() {
  [ -z "$may_bring" ] && ! modinfo "$name" >/dev/null 2>&1 || return 0
  trouble="the kernel of this host has no module $name"
  return 1
}
module_save() { printf 'not loaded\n' | keep; }
module_act() {
  output=$(modprobe "$name" 2>&1) && module_in_place || {
    tell_last "$output"
    trouble="the module $name could not be loaded"
    return 1
  }
}
# One that is in use by now stays: no harm, and said.
module_undo() {
  module_in_place || return 0
  modprobe -r "$name" >/dev/null 2>&1 || tell "the module $name is in use and stays loaded until the next start of the host"
}

squeeze() { tr -s ' \t\n' ' ' | sed 's/^ //; s/ $//'; }
sysctl_now() { { squeeze <"$R$path"; } 2>/dev/null; }
sysctl_in_place() {
  current=$(sysctl_now)
  [ "$current" != "$value" ] || return 0
  [ -n "$at_least" ] || return 1
  case $current in '' | *[!0-9]*) return 1 ;; esac
  [ "$current" -ge "$value" ] 2>/dev/null
}
sysctl_try() {
  [ -f "$R$path" ] || [ -n "$may_bring" ] || {
    trouble="this kernel has no setting $name"
    return 1
  }
}
sysctl_save() { sysctl_now | keep; }
sysctl_write() { { printf '%s\n' "$1" >"$R$path"; } 2>/dev/null && [ "$(sysctl_now)" = "$1" ]; }
sysctl_act() {
  sysctl_write "$value" || {
    trouble="the kernel did not take $name = $value"
    return 1
  }
}
sysctl_undo() {
  [ -s "$journal/$n.was" ] || return 0
  was=$(squeeze <"$journal/$n.was")
  current=$(sysctl_now)
  [ "$current" != "$was" ] || return 0
  if [ "$current" != "$value" ] && [ -z "$force" ]; then
    trouble="$name was set to $current by someone else and was left so; before it was $was"
    return 1
  fi
  sysctl_write "$was" || {
    trouble="the kernel did not take back $name = $was"
    return 1
  }
}

security=$R/sys/kernel/security/apparmor
apparmor_loaded() {
  profile=$name awk '{ line = $0; sub(/ \([a-z]*\)$/, "", line); if (line == ENVIRON["profile"]) found = 1 } END { exit !found }' \
    "$security/profiles" 2>/dev/null
}
apparmor_in_place() { ! apparmor_loaded; }
apparmor_save() { printf 'loaded %s\n' "$source" | keep; }
apparmor_act() {
  if [ -n "$source" ] && [ -f "$R$source" ] && has apparmor_parser; then
    apparmor_parser -R "$R$source" >/dev/null 2>&1
  else
    { printf '%s' "$name" >"$security/.remove"; } 2>/dev/null
  fi
  ! apparmor_loaded || {
    trouble="the profile $name could not be unloaded"
    return 1
  }
}
apparmor_undo() {
  ! apparmor_loaded || return 0
  if [ -n "$source" ] && [ -f "$R$source" ] && has apparmor_parser; then
    apparmor_parser -r "$R$source" >/dev/null 2>&1 || {
      trouble="the profile $name could not be loaded again from $source"
      return 1
    }
  else
    tell "the profile $name has no file on this host: whoever made it (the container runtime, as a rule) loads it when it next needs it"
  fi
}
`);
