import { entityOf } from '../../../model/entity.ts';
import { defineCause, excludes, line, minutes, namesOf, needs, on, supports } from '../../define-cause.ts';

const HELPER =
  /^(?:istio-proxy|linkerd-proxy|cloud-?sql-proxy|cloudsql(?:-proxy)?|vault-agent|envoy(?:-sidecar|-proxy)?|daprd|kuma-sidecar|consul-(?:dataplane|connect)[\w-]{0,40}|[\w-]{0,40}(?:sidecar|fluent-?bit|fluentd|filebeat|promtail|otel-collector|opentelemetry|datadog-agent)[\w-]{0,40}|osm-envoy|aws-sigv4|pgbouncer|oauth2-proxy|proxy)$/;

const proxyNotReady = line(
  ['Envoy proxy is NOT ready', 'config not received from XDS server', 'proxy not ready', 'proxy is not ready'],
  ['container-log', 'pod-events'],
  /Envoy proxy is NOT ready: (?<why>[^\n]{1,160})|config not received from XDS server|proxy (?:is )?not ready/i,
);
/** Ports of proxies: on any other local port the program may look for a server that was never meant to be in its pod. */
const localRefused = line(
  ['127.0.0.1:', 'localhost:'],
  ['container-log'],
  /(?:127\.0\.0\.1|localhost|\[::1\]):(?<port>150\d\d|4140|4143|4191|3500|50001|9901)\b[^\n]{0,80}?(?:refused|ECONNREFUSED)|(?:ECONNREFUSED|refused)[^\n]{0,60}?(?:127\.0\.0\.1|localhost):(?<node>150\d\d|4140|4143|4191|3500|50001|9901)\b/i,
);
const quit = line(['/quitquitquit', 'holdApplicationUntilProxyStarts', 'EXIT_ON_ZERO_ACTIVE_CONNECTIONS'], []);

export const cause = defineCause({
  id: 'sidecar-blocks-job-or-start-order',
  area: 'app',
  at: 'Pod',
  maturity: 'sandbox',
  explains: ['not-ready', 'crash-loop', 'restarts', 'failed', 'init-crash', 'stuck-terminating'],
  effectOf: ['active-deadline-exceeded', 'mesh-proxy-not-ready'],
  wakesOn: [on('pod.status', { status: 'NotReady' }), on('container.terminated', { which: 'current', exitCode: 0 })],

  text: {
    name: 'Sidecar outlives or lags the program',
    title: 'Sidecar and program of {name} are out of step: {what}',
    why: 'Plain containers of a pod start together, and the pod is done only when all of them have ended. {mechanism}',
  },

  clues: {
    trouble: needs('pod.symptom', ({ symptom }) => /^(?:not-ready|crash-loop|restarts|failed|init-crash|stuck-terminating)$/.test(symptom)),
    mainDone: supports('container.terminated', ({ which, exitCode, init }) => which === 'current' && exitCode === 0 && init !== true),
    halfDone: supports('pod.status', ({ status }) => status === 'NotReady'),
    helperRuns: supports('container.running', ({ about, init }) => init !== true && HELPER.test(entityOf(about).name)),
    proxyNotReady: supports(proxyNotReady),
    localRefused: supports(localRefused),
    quit: excludes(quit),
    mainRuns: excludes(
      'container.running',
      ({ about, init, ready }) => init !== true && ready === true && !HELPER.test(entityOf(about).name),
    ),
  },
  says: {
    trouble: 'the pod neither ends nor is ready: {state}',
    mainDone: 'container {main} has ended with exit code 0',
    halfDone: 'one container is Completed while another still runs (NotReady)',
    helperRuns: 'the helper {helper} still runs',
    proxyNotReady: 'the proxy is not ready yet',
    localRefused: 'the program finds nothing on its local proxy port {port}',
    quit: 'the sidecar is told to end already',
    mainRuns: 'the main container runs and is ready',
  },
  slots: (place, { trouble, mainDone: done, helperRuns: helper, proxyNotReady: proxy, localRefused: refused }) => {
    const names = namesOf(place);
    const main = done ? entityOf(done.about).name : 'the main container';
    const sidecar = helper ? entityOf(helper.about).name : 'its sidecar';
    const port = refused?.fields['port'] ?? refused?.fields['node'] ?? 'PORT';
    const isOrder = (refused !== undefined || proxy !== undefined) && done === undefined;
    return {
      ...names,
      name: place.name,
      state: trouble?.detail ?? 'NotReady',
      main,
      helper: sidecar,
      port,
      what: isOrder
        ? `the program starts before ${sidecar === 'its sidecar' ? 'its proxy sidecar' : sidecar} is ready (local port ${port})`
        : `${main} is done, but ${sidecar === 'its sidecar' ? 'a sidecar' : `the sidecar ${sidecar}`} keeps running, so it never completes`,
      mechanism: isOrder
        ? 'The program connects through a proxy in the same pod at once, the proxy does not listen yet, and the program gives up; after some restarts it happens to come second and works.'
        : 'The main container has finished its work, and a helper that is made to run for ever (a mesh proxy, a database proxy, a log shipper) stays, so the Job counts as running, later Jobs wait, and the pod shows as NotReady.',
    };
  },

  fixes: [
    {
      say: 'See which container still runs',
      risk: 'reads-only',
      steps: [
        {
          say: 'states of all containers',
          run: 'kubectl -n {{namespace}} get pod {{name}} -o jsonpath=\'{range .status.containerStatuses[*]}{.name}{"\\t"}{.state}{"\\n"}{end}\'',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'End the sidecar now, so that this run completes',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'Istio',
          run: 'kubectl -n {{namespace}} exec {{name}} -c istio-proxy -- pilot-agent request POST quitquitquit',
          on: 'cluster',
        },
        {
          say: 'Linkerd',
          run: 'kubectl -n {{namespace}} exec {{name}} -c linkerd-proxy -- /usr/lib/linkerd/linkerd-await --shutdown -- true',
          on: 'cluster',
        },
      ],
      verified: 'the pod is Completed',
    },
    {
      say: 'Make it a native sidecar: an init container with restartPolicy: Always (on by default since Kubernetes 1.29)',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'such a sidecar is started first, and ended after the main container; meshes have a switch for it (Istio ENABLE_NATIVE_SIDECARS, Linkerd proxy.nativeSidecar)',
          run: 'kubectl -n istio-system set env deployment/istiod ENABLE_NATIVE_SIDECARS=true || linkerd upgrade --set proxy.nativeSidecar=true | kubectl apply -f -',
          on: 'cluster',
        },
        { say: 'or keep the mesh out of Jobs: label sidecar.istio.io/inject: "false", annotation linkerd.io/inject: disabled' },
        {
          say: 'for the start order: holdApplicationUntilProxyStarts: true (Istio), config.linkerd.io/proxy-await: enabled, or retries in the program',
        },
      ],
      verified: 'Jobs complete, and the program finds its proxy at the first start',
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: ['kubernetes KEP-753 sidecar containers', 'istio issues 6324, 11130'],
});
