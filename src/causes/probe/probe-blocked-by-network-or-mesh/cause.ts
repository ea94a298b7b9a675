import type { Fact } from '../../../model/facts.ts';
import { defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['pod-events', 'kubelet-log'] as const;
/** A probe that runs a command tells what that command met, which is no connection of the kubelet. */
const PROBE =
  '(?:(?<probe>Liveness|Readiness|Startup) probe(?![^\\n]{0,20}?(?:failed|errored): (?!Get |Head |dial |read |HTTP |[\\\\"]))|probeType=(?<type>Liveness|Readiness|Startup))[^\\n]{0,300}?';

const noRoute = line(
  ['no route to host', 'network is unreachable', 'host is down', 'operation not permitted'],
  SAID_BY,
  new RegExp(
    `${PROBE}(?:dial tcp6? (?<address>[\\w.:[\\]-]{3,80}): )?connect: (?<error>no route to host|network is unreachable|host is down|operation not permitted)`,
  ),
);
const noConnection = line(
  ['i/o timeout', 'connection timed out', 'while waiting for connection'],
  SAID_BY,
  new RegExp(
    `${PROBE}(?:dial tcp6? (?<address>[\\w.:[\\]-]{3,80}): (?<error>i/o timeout|connect: connection timed out)|(?<waiting>request canceled while waiting for connection))`,
  ),
);
const reset = line(
  ['connection reset by peer', 'probe failed: Get'],
  SAID_BY,
  new RegExp(`${PROBE}(?:read tcp [^\\n]{1,120}?: read: (?<error>connection reset by peer)|\\\\*": (?<eof>EOF))`),
);
const proxyPort = line(
  [':15021/healthz', ':15020/app-health', ':4191/ready', ':4191/live', '/healthz/ready'],
  SAID_BY,
  new RegExp(`${PROBE}:(?<port>15020|15021|4191)/(?<path>[\\w./-]{1,100})`),
);
const proxyNotReady = line(
  ['Envoy proxy is NOT ready', 'config not received from XDS server', 'XDS proxy', 'connect to XDS'],
  ['container-log'],
  /Envoy proxy is NOT ready: (?<why>[^\n]{1,160})|config not received from XDS server|failed to connect to (?:XDS|upstream)[^\n]{0,160}?(?:istiod|pilot|15012)/,
);
const slowAnswer = line(
  ['awaiting headers'],
  [],
  /probe (?:failed|errored)[^\n]{0,200}?context deadline exceeded \(Client\.Timeout exceeded while awaiting headers\)/,
);

/** Somebody tried the address of a pod. */
function isPodLost({ result, target }: Fact<'net.attempt'>): boolean {
  return (result === 'timed-out' || result === 'no-route') && /^(?:10|172|192|100)\.[\d.]{5,11}$/.test(target);
}

const PROXY = /istio\/proxyv2|istio-proxy|linkerd[\w.-]{0,20}\/proxy|envoyproxy|kuma-dp|consul-dataplane/;

export const cause = defineCause({
  id: 'probe-blocked-by-network-or-mesh',
  area: 'probe',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['not-ready', 'restarts', 'crash-loop', 'failed'],
  effectOf: [
    'ip-forward-or-rp-filter',
    'networkpolicy-blocks',
    'networkpolicy-default-deny',
    'calico-node-not-ready',
    'cilium-agent-down',
    'cni-bridge-address-conflict',
    'pod-ip-exhausted',
    'mesh-proxy-not-ready',
  ],

  text: {
    name: 'Kubelet cannot reach the pod',
    title: 'Probes do not get through to the pod: {what}',
    why: 'HTTP, TCP and gRPC probes go from the node to the IP of the pod, over its own network interface and past every policy and proxy in between. {mechanism} The program itself may be well; exec probes still pass.',
  },

  clues: {
    noRoute: proves(noRoute),
    noConnection: supports(noConnection),
    reset: supports(reset),
    proxyPort: supports(proxyPort),
    proxyNotReady: supports(proxyNotReady),
    // An attempt by hand speaks for it only beside a probe, so it does not wake this cause by itself.
    fromNode: supports('net.attempt', isPodLost),
    proxy: supports('container.spec', ({ image }) => PROXY.test(image)),
    slowAnswer: excludes(slowAnswer),
    well: excludes('pod.status', isWell),
  },
  says: {
    noRoute: 'the node has no way to the pod: {error}',
    noConnection: 'the probe gets no connection to the pod at all: {error}',
    reset: 'the connection of the probe is cut: {error}',
    proxyPort: 'the probe goes to the port of a mesh proxy ({port})',
    proxyNotReady: 'the mesh proxy is not ready: {waits}',
    fromNode: 'the pod cannot be reached by curl either',
    proxy: 'a mesh proxy runs in the pod and takes its connections',
    slowAnswer: 'the probe is connected; the program answers too slowly',
    well: 'the pod runs and is ready',
  },
  slots: (
    place,
    { noRoute: route, noConnection: connection, reset: cut, proxyPort: port, proxyNotReady: waiting, fromNode: curl, proxy },
  ) => {
    const names = namesOf(place);
    const seen = route ?? connection ?? cut ?? port;
    const address = seen?.fields['address'] ?? curl?.target;
    const isMesh = (port !== undefined || proxy !== undefined || waiting !== undefined) && route === undefined;
    const waits = waiting?.fields['why']?.slice(0, 120) ?? 'it gets no configuration from its control plane';
    const probe = (seen?.fields['probe'] ?? seen?.fields['type'] ?? 'network').toLowerCase();
    const error =
      seen?.fields['error'] ??
      (connection ? 'no connection in time' : cut ? 'connection closed' : port ? 'the mesh proxy does not answer' : 'no connection');
    return {
      ...names,
      waits,
      what:
        waiting && route === undefined
          ? `its mesh proxy is not ready (${waits})`
          : `the kubelet cannot reach it for its ${probe} probe${address ? ` at ${address}` : ''}: ${error}`,
      target: address ?? 'POD_IP:PORT',
      object: names.target,
      port: port?.fields['port'] ?? '15021',
      error,
      mechanism: isMesh
        ? 'A mesh proxy takes all connections of the pod: with strict mTLS it turns away the plain probe of the kubelet unless probes are rewritten, and until the proxy itself is ready (it has to reach its control plane) every probe through it fails.'
        : 'Here the packets do not arrive or are turned away: the CNI of the node is down or its route is missing, a NetworkPolicy denies the node, a host firewall or rp_filter drops them, or the address of the pod is used twice.',
    };
  },

  fixes: [
    {
      say: 'Try the probe by hand, from the node of the pod and from another pod',
      risk: 'reads-only',
      steps: [
        {
          say: 'on the node where it runs',
          run: 'curl -m 3 -v http://{{target}}/; ip route get $(echo {{target}} | cut -d: -f1)',
          on: 'node',
        },
        {
          say: 'from inside the container it should answer',
          run: 'kubectl -n {{namespace}} exec {{object}} -- wget -qO- -T 3 http://127.0.0.1:PORT/',
          on: 'cluster',
        },
        {
          say: 'is it every pod of that node? Then it is the CNI, a firewall or rp_filter',
          run: 'kubectl get pods -A -o wide --field-selector spec.nodeName=NODE; sysctl net.ipv4.conf.all.rp_filter',
          on: 'node',
        },
        { say: 'policies of the namespace', run: 'kubectl -n {{namespace}} get networkpolicy', on: 'cluster' },
      ],
    },
    {
      say: 'Restore the way: restart the CNI pod of that node, let the node pass in NetworkPolicies and in the firewall',
      risk: 'restarts-pods',
      for: ['noRoute', 'noConnection'],
      steps: [
        {
          say: 'the CNI pod of the node',
          run: "kubectl -n kube-system get pods -o wide | grep -E 'calico-node|cilium|flannel|weave|antrea|aws-node'",
          on: 'cluster',
        },
        { say: 'a policy that denies ingress must still allow the addresses of the nodes (ipBlock) for the port of the probe' },
      ],
      verified: 'no event Unhealthy',
    },
    {
      say: 'With a mesh: let it rewrite the probes, or exclude their port',
      risk: 'restarts-pods',
      for: ['proxyPort', 'proxyNotReady', 'proxy'],
      steps: [
        {
          say: 'Istio: annotation sidecar.istio.io/rewriteAppHTTPProbers: "true", or traffic.sidecar.istio.io/excludeInboundPorts; Linkerd: config.linkerd.io/skip-inbound-ports',
          run: 'kubectl -n {{namespace}} edit {{object}}',
          on: 'cluster',
        },
        {
          say: 'a proxy that is never ready: see its log and whether its control plane can be reached',
          run: 'kubectl -n {{namespace}} logs {{object}} -c istio-proxy --tail=30',
          on: 'cluster',
        },
      ],
      verified: 'the pod is Ready',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/probe/tcp/tcp.go, pkg/probe/http/http.go', 'istio pilot/cmd/pilot-agent/status/server.go'],
});
