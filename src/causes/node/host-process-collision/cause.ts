import { byContainers, defineCause, excludes, line, minutes, supports } from '../../define-cause.ts';

/** Ports that agents with hostNetwork use, and that services of a host like to hold. */
const HOST_PORTS =
  '53|80|443|111|179|8080|8443|9091|9099|9100|9153|9253|9254|9353|9500|9796|10249|10250|10255|10256|19100|2379|2380|5473|6081|6784|7472|7946|8472|9962|9963|9964';

/** Of these every program likes to use some, in a pod of its own too. */
const AGENT_PORTS = HOST_PORTS.replace('53|80|443|', '').replace('8080|8443|', '');

const bind = line(
  ['address already in use', 'Address in use', 'EADDRINUSE', 'is already in use'],
  ['container-log', 'control-plane-log'],
  new RegExp(
    `(?:(?:listen|bind)[^\\n]{0,80}?[:\\]](?<listen>${AGENT_PORTS})\\b[^\\n]{0,60}?address already in use|bind\\(\\) to \\S{1,60}:(?<nginx>${AGENT_PORTS}) failed \\(98: Address (?:already )?in use\\)|Port (?<ingress>${HOST_PORTS}) is already in use\\. Please check the flag --\\w+-port)`,
    'i',
  ),
);
const holder = line(
  ['LISTEN  ', 'users:((', '(LISTEN)'],
  'host-tools',
  new RegExp(
    `(?:^tcp6?\\s+\\d{1,8}\\s+\\d{1,8}\\s+\\S{0,60}:(?<port>${HOST_PORTS})\\s+\\S{1,60}\\s+LISTEN\\s+\\d{1,8}\\/(?<program>[\\w.:-]{1,40})|^(?:tcp\\s+)?LISTEN\\s+\\d{1,8}\\s+\\d{1,8}\\s+\\S{0,60}:(?<ss>${HOST_PORTS})\\s+\\S{1,60}\\s+users:\\(\\("(?<user>[\\w.-]{1,40})|^(?<opener>[\\w.-]{1,40})\\s+\\d{1,8}\\s[^\\n]{0,120}:(?<lsof>${HOST_PORTS}) \\(LISTEN\\))`,
  ),
);
const proxyPort = line(
  ['cannot open hostport', 'Bind for 0.0.0.0:', 'failed to bind host port', 'Ports are not available'],
  ['pod-events', 'docker-log', 'kubelet-log'],
  /cannot open hostport (?<port>\d{2,5}) for pod|Bind for \S{3,60}:(?<docker>\d{2,5}) failed: port is already allocated|failed to bind host port (?:for )?\S{0,60}:?(?<bridge>\d{2,5})/,
);
const ownStart = line('address already in use', []);

const POD_PROGRAM =
  /^(?:kube-proxy|coredns|node-cache|node_exporter|nginx|calico|felix|bird|cilium|speaker|flanneld|envoy|traefik|haproxy)/;

export const cause = defineCause({
  id: 'host-process-collision',
  area: 'node',
  at: 'Node',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'not-ready', 'failed', 'creating', 'create-error'],

  text: {
    name: 'Host process holds the port',
    title: 'Port {port} on {where} is taken by {program}: a pod on the network of the host cannot listen on it',
    why: 'A pod with hostNetwork or hostPort shares its ports with every program of the machine. On {where} port {port} already belongs to {program}, so the pod cannot bind it and ends, on this node but not on others. Usual holders: systemd-resolved or dnsmasq (53), apache or nginx of the host (80, 443), a node_exporter installed as a service (9100), a second kube-proxy (10249, 10256).',
  },

  clues: {
    bind: supports(bind, byContainers),
    proxyPort: supports(proxyPort),
    holder: supports(holder, ({ fields }) => !POD_PROGRAM.test(fields['program'] ?? fields['user'] ?? fields['opener'] ?? '')),
    hostNetwork: supports('pod.host-network'),
    ownStart: excludes(ownStart, ({ channel }) => channel === 'kubelet-log' || channel === 'containerd-log'),
  },
  says: {
    bind: 'the pod cannot listen on port {port}: address already in use',
    proxyPort: 'the host port {port} of the pod is taken already',
    holder: 'on the host, {program} listens on port {port}',
    hostNetwork: 'the pod uses the network of the host',
    ownStart: 'a daemon of the node says it about its own port',
  },
  slots: (place, { bind: failed, holder: found, proxyPort: taken }) => {
    const port =
      failed?.fields['listen'] ??
      failed?.fields['nginx'] ??
      failed?.fields['ingress'] ??
      taken?.fields['port'] ??
      taken?.fields['docker'] ??
      taken?.fields['bridge'] ??
      found?.fields['port'] ??
      found?.fields['ss'] ??
      found?.fields['lsof'];
    return {
      where: place.kind !== 'Node' || place.name.includes(' ') ? 'this node' : `node ${place.name}`,
      port: port ?? 'it wants',
      number: port ?? 'PORT',
      program: found?.fields['program'] ?? found?.fields['user'] ?? found?.fields['opener'] ?? 'another process of the host',
    };
  },

  fixes: [
    {
      say: 'Find the process that holds port {port} on {where}',
      risk: 'reads-only',
      steps: [
        {
          say: 'on that node',
          run: "ss -ltnup 'sport = :{{number}}'; systemctl status $(ss -ltnpH 'sport = :{{number}}' | grep -oP 'pid=\\K[0-9]+' | head -1) --no-pager | head -3",
          on: 'node',
        },
        {
          say: 'other pods of the node that want the same host port',
          run: 'kubectl get pods -A -o jsonpath=\'{range .items[*]}{.spec.nodeName} {.metadata.namespace}/{.metadata.name} {.spec.containers[*].ports[*].hostPort}{"\\n"}{end}\' | grep -w {{number}}',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Stop the service of the host, or move it or the pod to another port',
      risk: 'touches-node',
      steps: [
        { say: 'a web server, exporter or DNS server that nobody needs there', run: 'systemctl disable --now SERVICE', on: 'node' },
        {
          say: 'systemd-resolved on port 53: switch its stub listener off',
          run: "mkdir -p /etc/systemd/resolved.conf.d && printf '[Resolve]\\nDNSStubListener=no\\n' > /etc/systemd/resolved.conf.d/no-stub.conf && systemctl restart systemd-resolved",
          on: 'node',
        },
        { say: 'or change the port of the pod (its flag or hostPort)' },
      ],
      verified: 'ss shows the program of the pod listening on {port}, and the pod is ready',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['Linux errno EADDRINUSE', 'kubernetes website: concepts/services-networking (hostPort, hostNetwork)'],
});
