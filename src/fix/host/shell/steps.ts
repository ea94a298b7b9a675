import { shellText } from './base.ts';

/** Each kind of step answers the same questions. */
export const STEPS = shellText(String.raw`
in_place() {
  case $kind in
    edit | create | remove) [ "$(file_state)" = after ] ;;
    units) units_in_place ;;
    package) package_in_place ;;
    module) module_in_place ;;
    sysctl) sysctl_in_place ;;
    apparmor) apparmor_in_place ;;
    kubeadm) return 1 ;;
  esac
}

try() {
  case $kind in
    edit | create | remove)
      [ "$(file_state)" != other ] || {
        trouble="$path is not what it was when this was planned: plan anew"
        return 1
      }
      [ "$kind" = remove ] || file_try
      ;;
    units) has systemctl || {
      trouble='this host has no systemctl'
      return 1
    } ;;
    package) has "$manager" || {
      trouble="this host has no $manager"
      return 1
    } ;;
    module) module_try ;;
    sysctl) sysctl_try ;;
    kubeadm) kubeadm_try ;;
  esac
}

save() {
  case $kind in edit | create | remove) file_save ;; *) "\${kind}_save" ;; esac
}
act() {
  case $kind in edit | create | remove) file_act ;; *) "\${kind}_act" ;; esac
}
undo() {
  case $kind in edit | create | remove) file_undo ;; *) "\${kind}_undo" ;; esac
}

numbers() {
  number=1
  while [ "$number" -le "$count" ]; do
    printf '%s\n' "$number"
    number=$((number + 1))
  done
}
backwards() { numbers | sort -rn; }
`);
