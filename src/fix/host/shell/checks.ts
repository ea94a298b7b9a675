import { shellText } from './base.ts';

/** Whether a new file, at \`$new\`, is one that its program takes; and takes as it is meant, since a key in a wrong table is read and forgotten. */
export const CHECKS = shellText(String.raw`
containerd_dump() { within 30 containerd --config "$new" config dump; }

# The value of a key in the table whose name ends so.
dump_value() {
  printf '%s\n' "$dump" | table=$1 key=$2 awk '
    /^[ \t]*\[/ { header = $0; gsub(/[] \t"\047[]/, "", header); next }
    {
      line = $0
      sub(/^[ \t]+/, "", line)
      at = index(line, " = ")
      if (at == 0 || substr(line, 1, at - 1) != ENVIRON["key"]) next
      ending = "." ENVIRON["table"]
      if (substr(header, length(header) - length(ending) + 1) != ending) next
      value = substr(line, at + 3)
      gsub(/^["\047]|["\047]$/, "", value)
      print value
      exit
    }'
}

is_disabled() {
  printf '%s\n' "$dump" | awk '/^disabled_plugins/ { on = 1 } on { print } on && /\]/ { exit }' | grep -qF -e "\"$1\"" -e "'$1'"
}

cri_is_disabled() {
  for plugin in cri io.containerd.grpc.v1.cri io.containerd.cri.v1.runtime io.containerd.cri.v1.images; do
    ! is_disabled "$plugin" || return 0
  done
  return 1
}

no_effect() {
  printf 'containerd reads the new file, yet %s\n' "$*" >&2
  return 1
}

dump_cgroup() {
  # A plugin that is off is not in the dump.
  ! cri_is_disabled || return 0
  runtime=$(dump_value containerd default_runtime_name)
  seen=false
  for value in "$(dump_value "containerd.runtimes.$runtime.options" SystemdCgroup)" \
    "$(dump_value containerd.default_runtime.options SystemdCgroup)" "$(dump_value cri systemd_cgroup)"; do
    [ "$value" != true ] || seen=true
  done
  [ "$seen" = "$1" ] || no_effect "SystemdCgroup would be $seen"
}

dump_sandbox() {
  ! cri_is_disabled || return 0
  [ "$(dump_value cri sandbox_image)" = "$1" ] || [ "$(dump_value pinned_images sandbox)" = "$1" ] || no_effect "the sandbox image would not be $1"
}

dump_registry() {
  ! cri_is_disabled || return 0
  [ "$(dump_value registry config_path)" = "$1" ] || no_effect "the registry's config_path would not be $1"
}

dump_enables() {
  if [ "$1" = cri ]; then
    ! cri_is_disabled
  else
    ! is_disabled "$1"
  fi || no_effect "the plugin $1 would be off"
}

docker_takes() { within 30 dockerd --validate --config-file "$new"; }

is_json() { within 30 python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$new"; }

# The unit is read as it would be with the drop-in; complaints about other files are not ours.
drop_in_takes() {
  trial=$journal/trial
  rm -rf "$trial"
  mkdir -p "$trial/$1.d" && cp "$new" "$trial/$1.d/50-podcause.conf" || return 1
  words=$(within 30 env SYSTEMD_UNIT_PATH="$trial:" systemd-analyze --man=no verify "$1" 2>&1)
  rm -rf "$trial"
  ! printf '%s\n' "$words" | grep -F '50-podcause.conf:' >&2
}
`);
