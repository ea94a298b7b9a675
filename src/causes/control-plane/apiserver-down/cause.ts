import { defineCause, excludes, line, minutes, on, proves, supports } from '../../define-cause.ts';

const noEtcd = line(
  [
    'dial tcp',
    'Error while dialing',
    'context deadline exceeded',
    'error creating storage factory',
    'createTransport failed to connect',
    'authentication handshake failed',
  ],
  ['control-plane-log', 'container-log'],
  /(?:createTransport failed to connect to|Error while dialing|unable to create storage backend|couldn't initialize storage|storage decorator)[\s\S]{0,300}?(?<etcd>[\w.:[\]-]{3,80}:(?:2379|4001))[\s\S]{0,200}?(?<error>connection refused|i\/o timeout|no route to host|x509: [^\n"\\:]{3,80}|remote error: tls: [^\n"\\]{3,60}|context deadline exceeded)|error creating storage factory: (?<slow>context deadline exceeded)/i,
);
const refused = line(
  ['was refused - did you specify the right host or port', 'connect: connection refused'],
  ['objects', 'kubelet-log', 'kubeadm-output', 'container-log'],
  /The connection to the server (?<server>[\w.:[\]-]{3,253}) was refused|(?:Get|Post|Put|Patch|list|watch)[\\" ]{1,6}https?:\/\/(?<host>[\w.:[\]-]{3,253}:\d{2,5})\/(?:api|apis|version|openapi)\b[\s\S]{0,400}?connect: connection refused/i,
);
const noAnswer = line(
  ['Unable to connect to the server', 'Kubernetes cluster unreachable'],
  ['objects', 'prose'],
  /(?:Unable to connect to the server|Kubernetes cluster unreachable): (?:Get [\\"]{1,4}https:\/\/[^\s"\\]{3,253}[\\"]{1,4}: )?(?:(?:dial tcp )?(?<server>[\w.:[\]-]{3,253}?): |net\/http: |http2: )?(?:connect: )?(?<error>i\/o timeout|no route to host|connection refused|TLS handshake timeout|EOF|client connection lost|connection reset by peer|context deadline exceeded)/,
);
const unhealthy = line(
  [
    'livez check failed',
    'healthz check failed',
    'readyz check failed',
    'the server is currently unable to handle the request',
    'apiserver is shutting down',
  ],
  ['objects', 'control-plane-log'],
  /(?<check>livez|healthz|readyz) check failed|(?:Error from server \(ServiceUnavailable\): |^)the server is currently unable to handle the request$|apiserver is shutting down/m,
);
const checkFails = line(
  [']etcd failed: ', ']etcd-readiness failed: '],
  ['control-plane-log', 'objects'],
  /\[-\](?<check>etcd(?:-readiness)?) failed: /,
);
const balancer = line(
  ['has no server available', 'no live upstreams', 'reason: Layer4 connection problem'],
  ['system-log', 'container-log'],
  /backend [\\"']{0,2}(?<backend>[\w.-]{1,80}(?:api|kube|master|6443)[\w.-]{0,80})[\\"']{0,2} has no server available|Server [\w.-]{0,80}(?:api|kube|master)[\w./-]{0,80} is DOWN/i,
);
const noKubeconfig = line('localhost:8080', [], /(?:server |https?:\/\/)(?:localhost|127\.0\.0\.1|\[::1\]):8080/);
const answers = line(['Error from server (Forbidden)', 'You must be logged in to the server', 'Error from server (NotFound)'], []);

export const cause = defineCause({
  id: 'apiserver-down',
  area: 'control-plane',
  at: 'Cluster',
  maturity: 'stable',
  explains: ['control-plane-down', 'node-not-ready', 'kubelet-down', 'other-trouble'],
  effectOf: [
    'apiserver-flag-or-manifest-error',
    'etcd-corrupt-or-data-lost',
    'etcd-no-quorum-or-slow',
    'etcd-tls-mismatch',
    'control-plane-cert-expired',
    'control-plane-on-mismatched-runtime',
    'cgroup-driver-kubelet-systemd-runtime-cgroupfs',
    'kubelet-static-pod-manifest-broken',
    'kubelet-unit-stopped',
    'kubelet-swap-on',
    'kubelet-config-missing-or-invalid',
    'runtime-socket-gone-or-refused',
    'disk-full-root',
    'host-process-collision',
  ],
  wakesOn: [
    on('pod.symptom', { symptom: 'crash-loop' }, { named: 'kube-apiserver' }),
    on('container.runtime-state', { state: 'exited' }, { named: 'kube-apiserver' }),
  ],

  text: {
    name: 'API server is down',
    title: 'The API server{server} does not serve: {what}',
    why: 'kubectl, kubelets and controllers all speak to kube-apiserver (port 6443). {mechanism} Until it is back nothing can be looked at or changed by kubectl and no pod is scheduled or replaced; containers that run go on.',
  },

  clues: {
    exited: supports(
      'container.runtime-state',
      ({ about, state, attempt }) => /\/kube-apiserver(?:-|\/|$)/.test(about) && /exited/i.test(state) && (attempt ?? 0) >= 1,
    ),
    podDown: supports(
      'pod.symptom',
      ({ about, symptom }) =>
        /^Pod\/[^/]*\/kube-apiserver(?:-|$)/.test(about) && /^(?:crash-loop|create-error|image-pull|config-error)$/.test(symptom),
    ),
    noEtcd: proves(noEtcd),
    // Logs of nodes and programs hold such lines from every restart of the API server.
    refused: supports(refused, ({ channel, count }) => count >= 5 || (channel !== 'kubelet-log' && channel !== 'container-log')),
    noAnswer: supports(noAnswer),
    unhealthy: supports(unhealthy),
    checkFails: supports(checkFails),
    balancer: supports(balancer),
    runs: excludes('container.runtime-state', ({ about, state }) => /\/kube-apiserver(?:-|\/|$)/.test(about) && /running/i.test(state)),
    noKubeconfig: excludes(noKubeconfig),
    answers: excludes(answers),
  },
  says: {
    exited: 'the container of kube-apiserver has exited{attempts}',
    podDown: 'the pod of kube-apiserver does not run: {state}',
    noEtcd: 'it does not reach etcd at {etcd}: {error}',
    refused: 'nothing listens at{server}: connection refused',
    noAnswer: 'kubectl gets no answer{server}: {error}',
    unhealthy: 'it answers, but its health checks fail',
    checkFails: 'its own check of etcd fails',
    balancer: 'the load balancer in front of it has no server left',
    runs: 'the container of kube-apiserver runs',
    noKubeconfig: 'kubectl has no kubeconfig and tries localhost:8080',
    answers: 'the API server answers',
  },
  slots: (_place, { exited, podDown, noEtcd: store, refused: closed, noAnswer: silent, unhealthy: sick, checkFails: check }) => {
    const server = closed?.fields['server'] ?? closed?.fields['host'] ?? silent?.fields['server'];
    const error = store?.fields['error'] ?? store?.fields['slow'] ?? silent?.fields['error'] ?? 'no answer';
    return {
      server: server === undefined ? '' : ` ${server}`,
      etcd: store?.fields['etcd'] ?? 'its address',
      error,
      attempts: exited?.attempt === undefined ? '' : ` (attempt ${exited.attempt})`,
      state: podDown?.detail ?? podDown?.symptom ?? 'down',
      what: store
        ? `it does not reach etcd at ${store.fields['etcd'] ?? 'its address'} (${error})`
        : (exited ?? podDown)
          ? 'kube-apiserver has exited and is started again and again'
          : closed
            ? 'connection refused, nothing listens there'
            : check
              ? 'its own health check says that it does not reach etcd'
              : sick
                ? 'its health checks fail'
                : `no answer (${error})`,
      mechanism:
        store || (check && !closed)
          ? 'kube-apiserver keeps nothing itself: without etcd it ends after some seconds and is started again. So etcd is what has to be looked at: stopped, damaged, out of disk, or with expired certificates.'
          : closed || exited || podDown
            ? 'It does not run at the moment, or the address is wrong: its own log on the control-plane node tells why (etcd away, a wrong flag or file, expired certificates, a kubelet or runtime that does not start it).'
            : 'It is down, or a firewall, a load balancer or a changed address keeps calls from reaching it.',
    };
  },

  fixes: [
    {
      say: 'On a control-plane node: see whether kube-apiserver and etcd run, and their last words',
      risk: 'reads-only',
      steps: [
        { say: 'the containers', run: 'crictl ps -a | grep -E "kube-apiserver|etcd"', on: 'node' },
        { say: 'the log of the API server', run: 'crictl logs --tail=50 $(crictl ps -a --name kube-apiserver -q | head -1)', on: 'node' },
        { say: 'the log of etcd', run: 'crictl logs --tail=50 $(crictl ps -a --name etcd -q | head -1)', on: 'node' },
        { say: 'no containers at all: the kubelet', run: 'systemctl status kubelet; journalctl -u kubelet -n 50 --no-pager', on: 'node' },
        { say: 'does it answer here', run: 'curl -k https://127.0.0.1:6443/livez?verbose; ss -lntp | grep 6443', on: 'node' },
      ],
    },
    {
      say: 'Start what is stopped: the kubelet, which starts the static pods; cure etcd first when it is etcd that is away',
      risk: 'touches-node',
      steps: [
        { say: 'kubelet and runtime', run: 'systemctl start containerd kubelet', on: 'node' },
        { say: 'certificates and disk are the usual reasons', run: 'kubeadm certs check-expiration; df -h / /var/lib/etcd', on: 'node' },
        {
          say: 'kubectl from elsewhere: is the address in its kubeconfig right',
          run: 'kubectl config view --minify | grep server',
          on: 'cluster',
        },
      ],
      verified: 'kubectl get --raw /livez prints ok',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes staging/src/k8s.io/kubectl/pkg/cmd/util/helpers.go',
    'kubernetes staging/src/k8s.io/apiserver/pkg/storage/storagebackend/factory/etcd3.go',
  ],
});
