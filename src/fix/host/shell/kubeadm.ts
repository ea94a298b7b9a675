import { shellText } from './base.ts';

/** Certificates: renewed by kubeadm, everything it may touch kept before, static pods made anew by taking their manifests away for a while. */
export const KUBEADM = shellText(String.raw`
kubernetes=$R/etc/kubernetes
held=$kubernetes/podcause-$id-held

return_manifests() {
  [ -d "$held" ] || return 0
  for manifest in "$held"/*.yaml; do
    [ ! -f "$manifest" ] || mv -f "$manifest" "$kubernetes/manifests/\${manifest##*/}" || return 1
  done
  flush "$kubernetes/manifests"
  rmdir "$held" 2>/dev/null || :
}

static_pods() {
  for certificate in $names; do
    case $certificate in
      all) printf 'etcd kube-apiserver kube-controller-manager kube-scheduler ' ;;
      apiserver* | front-proxy-client) printf 'kube-apiserver ' ;;
      etcd-*) printf 'etcd ' ;;
      controller-manager.conf) printf 'kube-controller-manager ' ;;
      scheduler.conf) printf 'kube-scheduler ' ;;
    esac
  done | tr ' ' '\n' | sort -u
}

still_runs() {
  has crictl || return 1
  [ -n "$(within 10 crictl --runtime-endpoint "unix://$R$containerd_socket" ps --name "^$1\$" -q 2>/dev/null)" ]
}

# The kubelet looks at its folder every 20 s unless it is told of changes.
restart_static_pods() {
  mkdir -p "$held" || return 1
  for pod in $(static_pods); do
    [ ! -f "$kubernetes/manifests/$pod.yaml" ] || mv -f "$kubernetes/manifests/$pod.yaml" "$held/$pod.yaml" || return 1
  done
  flush "$held"
  point "$n.held"
  pause 25
  for pod in $(static_pods); do
    looks=0
    while [ "$looks" -lt 15 ] && still_runs "$pod"; do
      looks=$((looks + 1))
      pause 2
    done
  done
  return_manifests || return 1
  wait_apiserver
}

wait_apiserver() {
  manifest=$kubernetes/manifests/kube-apiserver.yaml
  [ -f "$manifest" ] && has curl || return 0
  port=$(sed -n 's/^.*--secure-port=\([0-9][0-9]*\).*/\1/p' "$manifest" | sed 1q)
  looks=0
  while [ "$looks" -lt "$((health_seconds * 2))" ]; do
    ! within 5 curl -ks -o /dev/null "https://127.0.0.1:\${port:-6443}/livez" || return 0
    looks=$((looks + 1))
    pause 1
  done
  trouble='the API server did not answer after its certificates were renewed'
  return 1
}

kubeadm_try() {
  has kubeadm && [ -d "$kubernetes/pki" ] || {
    trouble='kubeadm or its certificates are not on this host'
    return 1
  }
}

kubeadm_save() {
  part=$journal/$n.backup.part
  rm -rf "$part" "$journal/$n.backup"
  mkdir -p "$part" && cp -a "$kubernetes/pki" "$part/pki" || return 1
  for file in "$kubernetes"/*.conf; do
    [ ! -f "$file" ] || cp -p "$file" "$part/" || return 1
  done
  sync
  mv "$part" "$journal/$n.backup" && flush "$journal"
}

renew() {
  if kubeadm certs renew --help >/dev/null 2>&1; then
    kubeadm certs renew "$1" </dev/null
  else
    kubeadm alpha certs renew "$1" </dev/null
  fi
}

kubeadm_act() {
  return_manifests || return 1
  for certificate in $names; do
    if ! output=$(renew "$certificate" 2>&1); then
      tell_last "$output"
      trouble="kubeadm could not renew $certificate"
      return 1
    fi
  done
  point "$n.renewed"
  restart_static_pods
}

restore_below() {
  (cd "$1" && find . -type f) | sed 's/^\.\///' | while read -r file; do
    cmp -s "$1/$file" "$2/$file" && continue
    cp -p "$1/$file" "$2/$file.podcause-new" && take_place "$2/$file.podcause-new" "$2/$file" || exit 1
  done
}

kubeadm_undo() {
  return_manifests || return 1
  [ -d "$journal/$n.backup" ] || return 0
  restore_below "$journal/$n.backup" "$kubernetes" || {
    trouble='the certificates from before could not be put back'
    return 1
  }
  restart_static_pods
}
`);
