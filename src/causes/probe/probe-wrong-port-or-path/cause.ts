import { entityOf } from '../../../model/entity.ts';
import { defineCause, line, minutes, namesOf, needs, proves, supports } from '../../define-cause.ts';

const PROBE = '(?<probe>Liveness|Readiness|Startup) probe (?:failed|errored)';
const noSuchPath = line(
  ['HTTP probe failed with statuscode: 40'],
  ['pod-events', 'kubelet-log'],
  /(?:(?<probe>Liveness|Readiness|Startup) probe failed|probeType=(?<type>Liveness|Readiness|Startup))[^\n]{0,300}?HTTP probe failed with statuscode: (?<code>40[1345])/,
);
const otherProtocol = line(
  ['server gave HTTP response to HTTPS client', 'malformed HTTP response', 'first record does not look like a TLS handshake'],
  ['pod-events', 'kubelet-log'],
  new RegExp(
    `${PROBE}(?:: Get [\\\\"]{0,4}(?<asked>https?://[^\\s"\\\\]{3,200}))?[^\\n]{0,300}?(?<mismatch>server gave HTTP response to HTTPS client|malformed HTTP response|first record does not look like a TLS handshake)`,
  ),
);
const unknownPortName = line(
  ['probe errored', 'probe failed: strconv'],
  ['pod-events', 'kubelet-log'],
  new RegExp(
    `${PROBE}[^\\n]{0,200}?(?:strconv\\.Atoi: parsing \\\\?"(?<port>[^"\\\\\\n]{1,60})\\\\?": invalid syntax|(?:couldn't find|unknown) port:? (?<name>[^\\n]{1,80})|invalid port number: (?<number>-?\\d{1,9}))`,
  ),
);
const tlsExpected = line(['sent an HTTP request to an HTTPS server', 'plain HTTP request was sent to HTTPS port'], 'container-log');
const badRequest = line('HTTP probe failed with statuscode: 400', ['pod-events', 'kubelet-log'], new RegExp(`${PROBE}`));

const ANSWERS: Readonly<Record<string, string>> = {
  '401': 'the path wants a login (HTTP 401)',
  '403': 'the path is forbidden to the probe (HTTP 403)',
  '404': 'the program has no such path (HTTP 404)',
  '405': 'the path does not take GET (HTTP 405)',
};

function urlOf(text = ''): string {
  return /^http-get (?<url>\S{1,260})/.exec(text)?.groups?.['url'] ?? 'its address';
}

export const cause = defineCause({
  id: 'probe-wrong-port-or-path',
  area: 'probe',
  at: 'Workload',
  maturity: 'stable',
  explains: ['not-ready'],

  text: {
    name: 'Probe misconfigured',
    title: 'The {probe} probe of {container} asks for the wrong thing: {probed}, {answer}',
    why: 'The program runs and answers, but not to what the {probe} probe asks: {answer}. A probe that can never pass keeps the pod unready or gets the container killed on schedule; its path, port or scheme has to be corrected.',
  },

  clues: {
    trouble: needs('pod.symptom', ({ symptom }) => /^(?:not-ready|restarts|crash-loop|failed)$/.test(symptom)),
    noSuchPath: proves(noSuchPath),
    otherProtocol: proves(otherProtocol),
    unknownPortName: proves(unknownPortName),
    tlsExpected: supports(tlsExpected),
    badRequest: supports(badRequest),
    liveness: supports('container.probe', ({ probe, text }) => probe === 'liveness' && text.startsWith('http-get')),
    readiness: supports('container.probe', ({ probe, text }) => probe === 'readiness' && text.startsWith('http-get')),
    startup: supports('container.probe', ({ probe, text }) => probe === 'startup' && text.startsWith('http-get')),
  },
  says: {
    trouble: 'the pod suffers: {state}',
    noSuchPath: 'the program answers the probe: {answer}',
    otherProtocol: 'probe and program speak different protocols: {answer}',
    unknownPortName: 'the port of the probe cannot be resolved: {answer}',
    tlsExpected: 'the program logs plain HTTP on a port that speaks HTTPS',
    badRequest: 'the program calls the request of the probe bad (HTTP 400)',
    liveness: 'the liveness probe asks {livenessUrl}',
    readiness: 'the readiness probe asks {readinessUrl}',
    startup: 'the startup probe asks {startupUrl}',
  },
  slots: (place, { trouble, noSuchPath: path, otherProtocol: protocol, unknownPortName: port, tlsExpected: tls, ...specs }) => {
    const seen = path ?? protocol ?? port;
    const probe = (seen?.fields['probe'] ?? path?.fields['type'] ?? 'HTTP').toLowerCase();
    const own = [specs.liveness, specs.readiness, specs.startup].find((spec) => spec?.probe === probe);
    const portName = port?.fields['port'] ?? port?.fields['name'] ?? port?.fields['number'];
    return {
      ...namesOf(place),
      probe,
      container: own ? entityOf(own.about).name : 'the container',
      named: own ? entityOf(own.about).name : '',
      probeField: own?.text.startsWith('http-get') ? `${own.probe}Probe` : '',
      wrong: path && !tls ? 'path' : portName ? 'port' : 'scheme',
      probed: own ? urlOf(own.text) : (protocol?.fields['asked'] ?? urlOf()),
      answer:
        ANSWERS[path?.fields['code'] ?? ''] ??
        (protocol ? `plain HTTP and HTTPS are mixed up (${protocol.fields['mismatch']})` : undefined) ??
        (portName ? `the container has no port called ${portName}` : undefined) ??
        (tls ? 'the port speaks HTTPS and the probe plain HTTP' : 'it calls the request bad (HTTP 400)'),
      state: trouble?.detail ?? 'not ready',
      livenessUrl: urlOf(specs.liveness?.text),
      readinessUrl: urlOf(specs.readiness?.text),
      startupUrl: urlOf(specs.startup?.text),
    };
  },

  fixes: [
    {
      say: 'Correct path, port or scheme of the {probe} probe of {container}',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'ask the program as the kubelet does, and find the path that answers 200',
          run: 'kubectl -n {{namespace}} port-forward {{target}} 18080:PORT & sleep 2; curl -si http://127.0.0.1:18080/ | head -5',
          on: 'cluster',
        },
        { say: 'what it listens on', run: 'kubectl -n {{namespace}} exec {{target}} -- sh -c "ss -ltn || netstat -ltn"', on: 'cluster' },
        {
          say: 'httpGet.path, httpGet.port (a name must stand under ports of the container) and httpGet.scheme (HTTPS for a TLS port)',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      changes: [
        {
          do: 'workload-set',
          container: '{{named}}',
          field: '{{probeField}}.httpGet.{{wrong}}',
          value: { ask: '{{wrong}}', says: 'the {{wrong}} at which the program answers the probe' },
        },
      ],
      verified: 'no event Unhealthy and the pod is Ready',
    },
    {
      say: 'Or let the program serve a health path without login at the probed address',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'where no HTTP path fits, a tcpSocket probe on the port is enough for liveness',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/probe/http/http.go, pkg/probe/util.go (ResolveContainerPort)', 'Go net/http transport.go, server.go'],
});
