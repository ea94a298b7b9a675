import { SHOW_JOURNAL } from './told.ts';

/** What is told of every host. */
export const FACTS = String.raw`
printf 'podcause-survey 1\n'
{ read -r host <"$R/proc/sys/kernel/hostname"; } 2>/dev/null
printf 'node %s\n' "$(word "\${PODCAUSE_NODE:-\${host:-localhost}}")"
os_value() { sed -n "s/^$1=//p" "$R/etc/os-release" "$R/usr/lib/os-release" 2>/dev/null | sed 1q | tr -d '"' | tr -d "'"; }
printf 'os %s %s %s\n' "$(word "$(os_value ID)")" "$(word "$(os_value ID_LIKE)")" "$(word "$(os_value PRETTY_NAME)")"
for each in apt-get dnf yum zypper apk; do
  has "$each" || continue
  printf 'manager %s\n' "$each"
  break
done
if has systemctl && [ -d "$R/run/systemd/system" ]; then printf 'systemd yes\n'; else printf 'systemd no\n'; fi
# In the host's own eyes: a pod that only reads has the host mounted read-only.
etc_options=$(awk '$2 == "/" || $2 == "/etc" { options = $4 } END { print options }' "$R/proc/1/mounts" 2>/dev/null)
case $etc_options in
  ro | ro,*) printf 'etc read-only\n' ;;
  '') if [ -w "$R/etc" ]; then printf 'etc writable\n'; else printf 'etc read-only\n'; fi ;;
  *) printf 'etc writable\n' ;;
esac
for each in "$R/var/lib" "$R/etc"; do
  df -Pk "$each" 2>/dev/null | awk 'NR == 2 { print "free", $4 }'
done
for each in "$R"/sys/module/*/; do
  each=\${each%/}
  printf 'module %s\n' "\${each##*/}"
done

containerd_args=$(arguments_of containerd containerd)
kubelet_args=$(arguments_of kubelet kubelet)
docker_args=$(arguments_of dockerd docker)
# Words of a command line are taken apart, and never for patterns of file names.
set -f
containerd_config=$(first_of "$(flag_of config $containerd_args)" "$(flag_of c $containerd_args)" /etc/containerd/config.toml)
kubelet_config=$(first_of "$(flag_of config $kubelet_args)" /var/lib/kubelet/config.yaml)
docker_config=$(first_of "$(flag_of config-file $docker_args)" /etc/docker/daemon.json)
in_file=$(sed -n '/^[[:space:]]*\[grpc\]/,/^[[:space:]]*\[[^g]/s/^[[:space:]]*address *= *"\([^"]*\)".*/\1/p' "$R$containerd_config" 2>/dev/null | sed 1q)
containerd_socket=$(first_of "$(flag_of address $containerd_args)" "$(flag_of a $containerd_args)" "$in_file" /run/containerd/containerd.sock)
set +f
printf 'config containerd %s\n' "$(word "$containerd_config")"
printf 'config kubelet %s\n' "$(word "$kubelet_config")"
printf 'config docker %s\n' "$(word "$docker_config")"
printf 'socket %s\n' "$(word "$containerd_socket")"
version_in() { sed -n 's/^[^0-9]*[^0-9.]v\{0,1\}\([0-9][0-9]*\.[0-9][0-9]*[0-9.]*\).*/\1/p' | sed 1q; }
printf 'version containerd %s\n' "$(within 10 containerd --version | version_in)"
printf 'version docker %s\n' "$(within 10 dockerd --version | version_in)"
printf 'version kubelet %s\n' "$(within 10 kubelet --version | version_in)"

if has docker; then
  ids=$(within 15 docker ps -q --no-trunc) || printf 'silent docker\n'
  for each in $ids; do
    within 10 docker inspect -f '{{.State.Running}} {{.State.Pid}} {{.Name}}' "$each" || :
  done | while read -r running pid name; do
    [ "$running" = true ] || continue
    [ -d "$R/proc/$pid" ] && [ "$pid" != 0 ] || printf 'ghost %s\n' "$(word "\${name#/}")"
  done
fi
${SHOW_JOURNAL}`;

/** What is told where it is asked for. */
export const QUESTIONS = String.raw`
# When it began, in seconds since 1970: the kernel counts from its own start.
began() {
  up=
  { read -r up rest <"$R/proc/uptime"; } 2>/dev/null
  awk -v up="$up" -v at="$1" -v now="$(date +%s)" 'BEGIN { if (up > 0 && at > 0) printf "%d", now - up + at / 1000000 }' </dev/null
}

ask_unit() {
  within 10 systemctl show -p LoadState -p ActiveState -p UnitFileState -p ActiveEnterTimestampMonotonic "$1" | {
    load=unknown active=unknown enabled=unknown since=
    while IFS='=' read -r key value; do
      case $key in
        LoadState) load=$value ;;
        ActiveState) active=$value ;;
        UnitFileState) enabled=$value ;;
        ActiveEnterTimestampMonotonic) since=$(began "$value") ;;
      esac
    done
    [ "$load" != loaded ] || printf 'unit %s %s %s %s\n' "$1" "$active" "\${enabled:-none}" "$since"
  }
}

ask_package() {
  if has dpkg-query; then
    within 20 dpkg-query -W -f '\${Status}\n' "$1" | grep -q 'ok installed$'
  elif has rpm; then
    within 20 rpm -q "$1" >/dev/null
  elif has apk; then
    within 20 apk info -e "$1" >/dev/null
  else
    false
  fi && printf 'package %s\n' "$1"
  return 0
}

ask_profile() {
  profile=$1
  export profile
  awk '{ name = $0; sub(/ \([a-z]*\)$/, "", name); if (name == ENVIRON["profile"]) found = 1 } END { exit !found }' \
    "$R/sys/kernel/security/apparmor/profiles" 2>/dev/null || return 0
  source=
  for each in "$R"/etc/apparmor.d/*; do
    [ -f "$each" ] || continue
    if awk '{ gsub(/"/, "") } ($1 == "profile" && $2 == ENVIRON["profile"]) || $1 == ENVIRON["profile"] { found = 1 } END { exit !found }' "$each"; then
      source=\${each#"$R"}
      break
    fi
  done
  printf 'profile %s %s\n' "$(word "$profile")" "$(word "$source")"
}

ask_sysctl() {
  [ -r "$R$2" ] || return 0
  printf 'sysctl %s %s\n' "$1" "$(encode <"$R$2")"
}
`;
