import { defineCause, excludes, line, minutes, supports } from '../../define-cause.ts';

const waited = line(
  [
    'error uploading crisocket',
    'Error writing Crisocket information',
    'error execution phase wait-control-plane',
    'Initial timeout of 40s passed',
    "kubelet isn't running or healthy",
    'The kubelet is not running',
    'kubelet is not healthy after',
    'error execution phase kubelet-start',
    'control plane as static Pods',
    'The API server is not healthy after',
    'K8S_KUBELET_NOT_RUNNING',
    'failed to init node with kubeadm',
    'failed to join node with kubeadm',
  ],
  'kubeadm-output',
  /(?<crisocket>[Ee]rror (?:uploading crisocket|writing Crisocket information for the control-plane node): (?:timed out waiting for the condition|nodes [\s\S]{0,120}?not found|[^\n]{3,80}))|(?<control>error execution phase wait-control-plane: [^\n]{3,100})|(?<api>The API server is not healthy after [\d.hms]{2,20})|(?<late>Initial timeout of 40s passed)|(?<minikube>Exiting due to K8S_KUBELET_NOT_RUNNING)|(?<kind>failed to (?:init|join) node with kubeadm: )|(?<health>It seems like the kubelet isn't running or healthy|The kubelet is not (?:running|healthy)[^\n]{0,80}|kubelet-start: (?:failed while waiting for TLS bootstrap|timed out waiting)[^\n]{0,60})/,
);
/** With -v 8 and more kubeadm tells which address it tries. */
const dials = line(
  ['HTTP Trace: Dial failed'],
  'kubeadm-output',
  /Dial failed[^\n]{0,80}?address=[\\"]{0,4}(?<address>[\w.:[\]-]{3,120}?)[\\"]{0,4} [^\n]{0,200}?(?<why>no route to host|connection refused|i\/o timeout|network is unreachable)/,
);
const healthz = line(
  ['localhost:10248/healthz', '127.0.0.1:10248/healthz'],
  ['kubelet-log', 'kubeadm-output'],
  /(?:localhost|127\.0\.0\.1):10248\/healthz['"\\]{0,4}:? [\s\S]{0,120}?(?<error>connection refused|context deadline exceeded|EOF)/,
);
const driver = line(
  ['recommended driver is "systemd"', 'IsDockerSystemdCheck', 'cgroup driver of Docker'],
  'kubeadm-output',
  /detected [\\"]{1,4}cgroupfs[\\"]{1,4} as the Docker cgroup driver|IsDockerSystemdCheck/,
);
const swap = line('[WARNING Swap]', 'kubeadm-output');
const worked = line(['initialized successfully', 'This node has joined the cluster'], []);

export const cause = defineCause({
  id: 'kubeadm-waits-for-kubelet-in-vain',
  area: 'kubelet',
  at: 'Node',
  maturity: 'stable',
  explains: ['kubelet-down', 'node-not-ready', 'control-plane-down', 'other-trouble'],
  effectOf: [
    'http-proxy-takes-cluster-traffic',
    'kubelet-swap-on',
    'kubelet-config-missing-or-invalid',
    'kubelet-bootstrap-or-cert-expired',
    'kubelet-cannot-reach-api',
    'kubelet-node-not-found',
    'kubelet-unit-stopped',
    'kubelet-port-in-use',
    'kubelet-cpu-or-memory-manager-state',
    'kubelet-eviction-or-reserved-misconfigured',
    'kubelet-static-pod-manifest-broken',
    'cgroup-driver-dockershim-or-cri-dockerd-mismatch',
    'cgroup-driver-kubelet-systemd-runtime-cgroupfs',
    'cgroup-driver-kubelet-cgroupfs-runtime-systemd',
    'cgroup-root-slice-missing-or-controllers',
    'cgroup-v1-host-refused',
    'containerd-cri-plugin-disabled',
    'runtime-socket-gone-or-refused',
    'sandbox-image-unavailable',
    'apiserver-flag-or-manifest-error',
    'max-user-namespaces-or-sysctl-hardening',
  ],

  text: {
    name: 'kubeadm waits for the kubelet',
    title: 'kubeadm waits in vain on {node}: {what}',
    why: 'kubeadm has written its files and now waits for the kubelet to start the control plane or to register the node. That does not happen on {node} ({what}). The reason stands in the journal of the kubelet, not in this output: mostly a cgroup driver that differs from the runtime ({driver}), swap, a pause image that cannot be pulled, or leftovers of an earlier cluster.',
  },

  clues: {
    waited: supports(waited),
    dials: supports(dials),
    healthz: supports(healthz),
    driver: supports(driver),
    swap: supports(swap),
    worked: excludes(worked),
  },
  says: {
    waited: 'kubeadm gives up waiting: {what}',
    dials: 'the API server cannot be reached at {address}: {why}',
    healthz: 'the kubelet does not answer on its health port 10248: {error}',
    driver: 'Docker uses the cgroupfs driver, kubeadm sets systemd for the kubelet',
    swap: 'swap is on, as kubeadm warns',
    worked: 'kubeadm came to its end well',
  },
  slots: (place, { waited: gave, dials: dial, healthz: port, driver: cgroup }) => {
    const { crisocket, control, api, late, health, minikube, kind } = gave?.fields ?? {};
    return {
      node: place.name,
      error: port?.fields['error'] ?? 'no answer',
      address: dial?.fields['address'] ?? 'its address',
      why: dial?.fields['why'] ?? 'no answer',
      driver: cgroup ? 'Docker is on cgroupfs here' : 'systemd against cgroupfs',
      what:
        dial?.fields['why'] === 'no route to host'
          ? `nobody answers at the endpoint of the control plane ${dial.fields['address'] ?? ''} (no route to host): no machine has that address yet (kube-vip, keepalived, load balancer)`
          : api
            ? 'the API server does not become healthy in time'
            : crisocket
              ? 'the node does not register (error uploading crisocket)'
              : control
                ? 'the control plane does not come up (wait-control-plane)'
                : health
                  ? 'the kubelet is not running or not healthy'
                  : minikube || kind
                    ? `the kubelet inside the node of ${minikube ? 'minikube' : 'kind'} does not come up (cgroups of the host, its memory, disk or kernel; see the log of that kubelet)`
                    : late
                      ? 'the kubelet does not answer within 40 seconds'
                      : `the kubelet does not answer on port 10248 (${port?.fields['error'] ?? 'no answer'})`,
    };
  },

  fixes: [
    {
      say: 'Read why the kubelet or a container of the control plane ends',
      risk: 'reads-only',
      steps: [
        {
          say: 'minikube and kind: the kubelet runs in a container or VM of theirs',
          run: 'minikube logs --problems; minikube ssh -- sudo journalctl -u kubelet --no-pager | tail -40; docker exec kind-control-plane journalctl -u kubelet --no-pager | tail -40',
        },
        { say: 'the kubelet', run: 'systemctl status kubelet --no-pager -l; journalctl -u kubelet -b --no-pager | tail -60', on: 'node' },
        {
          say: 'containers of the control plane, ended ones too',
          run: "crictl --runtime-endpoint unix:///run/containerd/containerd.sock ps -a | grep -E 'kube|etcd'; crictl --runtime-endpoint unix:///run/containerd/containerd.sock logs CONTAINER-ID",
          on: 'node',
        },
        {
          say: 'both cgroup drivers',
          run: "grep cgroupDriver /var/lib/kubelet/config.yaml; containerd config dump | grep SystemdCgroup; docker info 2>/dev/null | grep -i 'cgroup driver'",
          on: 'node',
        },
      ],
    },
    {
      say: 'Remove the reason, clean up and run kubeadm again',
      risk: 'touches-node',
      steps: [
        {
          say: 'swap off; the same cgroup driver (systemd) for runtime and kubelet; pause image reachable',
          run: 'swapoff -a; systemctl restart containerd kubelet',
          on: 'node',
        },
        { say: 'leftovers of the failed try', run: 'kubeadm reset -f && systemctl daemon-reload && systemctl restart kubelet', on: 'node' },
      ],
      verified: 'kubeadm ends well, and {node} becomes Ready',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes cmd/kubeadm/app/cmd/phases/join/kubelet.go, init/waitcontrolplane.go',
    'kubernetes website: troubleshooting-kubeadm',
  ],
});
