/** Daemons whose command lines tell where things are on this host. */
const DAEMONS = 'kubelet|containerd|dockerd|crio|cri-dockerd';

/** Where runtimes listen when nothing says otherwise, the likeliest first. */
export const USUAL_SOCKETS: readonly string[] = [
  '/run/containerd/containerd.sock',
  '/run/crio/crio.sock',
  '/run/cri-dockerd.sock',
  '/run/k3s/containerd/containerd.sock',
  '/var/snap/microk8s/common/run/containerd.sock',
];

/** What the prelude finds out; probes use them as shell variables, shown commands have them filled in. */
export const FOUND = [
  'node',
  'daemons',
  'kubelet_args',
  'kubelet_program',
  'kubelet_config',
  'kubelet_root',
  'cert_dir',
  'containerd_args',
  'containerd_config',
  'containerd_socket',
  'dockerd_args',
  'cri_socket',
] as const;

export type Found = Readonly<Record<(typeof FOUND)[number], string>>;

/**
 * POSIX shell that finds out where the kubelet and the runtimes of this host have their things, from their own command
 * lines, or from the files those are made of when they do not run. Reads only; prints nothing.
 */
export const PRELUDE = String.raw`
LC_ALL=C
SYSTEMD_COLORS=0
SYSTEMD_PAGER=cat
PAGER=cat
SYSTEMD_IGNORE_CHROOT=1
PATH="$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/bin:/var/lib/rancher/rke2/bin:/snap/bin"
export LC_ALL SYSTEMD_COLORS SYSTEMD_PAGER PAGER SYSTEMD_IGNORE_CHROOT PATH
unset GREP_OPTIONS GREP_COLOR LD_PRELOAD

flag_of() {
  wanted=$1
  take=
  shift
  for word in "$@"; do
    if [ -n "$take" ]; then
      printf '%s' "$word"
      return
    fi
    case $word in
      --"$wanted"=* | -"$wanted"=*)
        printf '%s' "\${word#*=}"
        return
        ;;
      --"$wanted" | -"$wanted") take=1 ;;
    esac
  done
}

or_usual() {
  case $1 in
    '' | *[!A-Za-z0-9/._:@+-]*) printf '%s' "$2" ;;
    *) printf '%s' "$1" ;;
  esac
}

kubelet_args=
containerd_args=
dockerd_args=
daemons=
for dir in /proc/[0-9]*; do
  name=
  { read -r name <"$dir/comm"; } 2>/dev/null
  case $name in
    ${DAEMONS}) ;;
    *) continue ;;
  esac
  args=$({ tr '\000' ' ' <"$dir/cmdline"; } 2>/dev/null)
  [ -n "$args" ] || continue
  daemons="$daemons\${dir#/proc/} $args
"
  case $name in
    kubelet) kubelet_args=$args ;;
    containerd) containerd_args=\${containerd_args:-$args} ;;
    dockerd) dockerd_args=$args ;;
  esac
done

set -f
kubelet_program=\${kubelet_args%% *}
kubelet_program=$(or_usual "$kubelet_program" kubelet)
flags=$kubelet_args
if [ -z "$flags" ]; then
  set +f
  flags=$(cat /var/lib/kubelet/kubeadm-flags.env /etc/default/kubelet /etc/sysconfig/kubelet /etc/systemd/system/kubelet.service \
    /etc/systemd/system/kubelet.service.d/*.conf /lib/systemd/system/kubelet.service 2>/dev/null | grep -v '^[[:space:]]*#' | tr '"\\' '  ')
  set -f
fi
node=$(or_usual "\${PODCAUSE_NODE:-}" "$(or_usual "$(flag_of hostname-override $flags)" '')")
if [ -z "$node" ]; then
  { read -r node </proc/sys/kernel/hostname; } 2>/dev/null
  node=$(or_usual "$node" localhost | tr '[:upper:]' '[:lower:]')
fi
kubelet_root=$(or_usual "$(flag_of root-dir $flags)" /var/lib/kubelet)
kubelet_config=$(or_usual "$(flag_of config $flags)" "$kubelet_root/config.yaml")
cert_dir=$(or_usual "$(flag_of cert-dir $flags)" "$kubelet_root/pki")
containerd_config=$(or_usual "$(flag_of config $containerd_args)" "$(or_usual "$(flag_of c $containerd_args)" /etc/containerd/config.toml)")
cri_socket=$(flag_of container-runtime-endpoint $flags)
if [ -z "$cri_socket" ]; then
  cri_socket=$({ grep '^containerRuntimeEndpoint:' "$kubelet_config"; } 2>/dev/null | tr -d ' "' | tr -d "'")
  cri_socket=\${cri_socket#containerRuntimeEndpoint:}
fi
cri_socket=$(or_usual "\${cri_socket#unix://}" '')
for usual in ${USUAL_SOCKETS.join(' ')}; do
  [ -z "$cri_socket" ] || break
  [ ! -S "$usual" ] || cri_socket=$usual
done
cri_socket=\${cri_socket:-${USUAL_SOCKETS[0]}}
containerd_socket=$(or_usual "$(flag_of address $containerd_args)" "$(or_usual "$(flag_of a $containerd_args)" '')")
if [ -z "$containerd_socket" ]; then
  case $cri_socket in
    *containerd*) containerd_socket=$cri_socket ;;
    *) containerd_socket=${USUAL_SOCKETS[0]} ;;
  esac
fi
set +f
`
  .replaceAll('\\${', '${')
  .trimStart();
