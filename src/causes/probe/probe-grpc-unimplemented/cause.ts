import { entityOf } from '../../../model/entity.ts';
import { defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['pod-events', 'kubelet-log'] as const;

const unimplemented = line(
  ['does not implement the grpc health protocol', 'grpc.health.v1.Health', 'unknown service grpc.health'],
  SAID_BY,
  /(?:(?<probe>Liveness|Readiness|Startup) probe [^\n]{0,200}?)?(?:this server does not implement the grpc health protocol|unknown service grpc\.health\.v1\.Health|unknown method Check for service grpc\.health)/i,
);
const unknownName = line(
  ['error: health rpc failed', 'service unknown', 'rpc error: code = NotFound'],
  SAID_BY,
  /(?:(?<probe>Liveness|Readiness|Startup) probe (?:failed|errored)[^\n]{0,160}?)(?:health rpc (?:failed|probe failed)[^\n]{0,80}?code = NotFound|code = NotFound desc = unknown service)/i,
);
const notServing = line(
  ['service unhealthy (responded with', 'responded with "NOT_SERVING"', 'responded with \\"NOT_SERVING'],
  SAID_BY,
  /(?:(?<probe>Liveness|Readiness|Startup) probe [^\n]{0,160}?)?service unhealthy \(responded with \\*"(?<status>[A-Z_]{3,40})/,
);
const noConnection = line(
  ['failed to connect service', 'health rpc did not complete'],
  SAID_BY,
  /(?:(?<probe>Liveness|Readiness|Startup) probe [^\n]{0,160}?)?(?:timeout: failed to connect service \\*"(?<address>[^"\\\n]{1,260})\\*" within (?<within>[\w.]{1,12})|timeout: health rpc did not complete within (?<slow>[\w.]{1,12}))/,
);
const tls = line(
  ['first record does not look like a TLS handshake', 'error reading server preface'],
  SAID_BY,
  /(?<probe>Liveness|Readiness|Startup) probe [^\n]{0,260}?(?<preface>error reading server preface[^\n]{0,100})/,
);
const noBinary = line(
  ['grpc_health_probe'],
  [],
  /grpc_health_probe[^\n]{0,60}?(?:no such file or directory|executable file not found|permission denied)/,
);

export const cause = defineCause({
  id: 'probe-grpc-unimplemented',
  area: 'probe',
  at: 'Workload',
  maturity: 'stable',
  explains: ['not-ready', 'restarts', 'crash-loop', 'failed', 'other-trouble'],

  text: {
    name: 'gRPC probe fails',
    title: 'The gRPC {probe} probe fails: {problem}',
    why: 'A gRPC probe calls the standard health service grpc.health.v1.Health of the server and expects the answer SERVING. {mechanism} A readiness probe keeps the pod unready for that; a liveness or startup probe gets the container killed.',
  },

  clues: {
    unimplemented: proves(unimplemented),
    unknownName: proves(unknownName),
    notServing: proves(notServing),
    noConnection: supports(noConnection),
    tls: supports(tls),
    spec: supports('container.probe', ({ text }) => /^grpc /.test(text)),
    noBinary: excludes(noBinary),
    well: excludes('pod.status', isWell),
  },
  says: {
    unimplemented: 'the server does not implement the gRPC health protocol',
    unknownName: 'the server knows no health for the service name of the probe',
    notServing: 'the server answers {status} to the probe',
    noConnection: 'the probe gets no gRPC connection: {connection}',
    tls: 'the probe and the port do not speak the same protocol',
    spec: 'what is probed: {specText}',
    noBinary: 'the probe is a command, and that command is missing',
    well: 'the pod runs and is ready',
  },
  slots: (place, { unimplemented: none, unknownName: name, notServing: status, noConnection: connect, tls: preface, spec }) => {
    const probe = [none, name, status, connect, preface].map((one) => one?.fields['probe']).find((one) => one !== undefined);
    const address = connect?.fields['address'];
    const connection = address
      ? `${address} does not answer within ${connect?.fields['within']}`
      : connect
        ? `no answer within ${connect.fields['slow']}`
        : 'no connection';
    const [problem, mechanism] = none
      ? [
          'the server does not implement grpc.health.v1.Health',
          'This server does not register that service, so every probe is answered with UNIMPLEMENTED.',
        ]
      : name
        ? [
            'the server does not know the service name of the probe',
            'The probe asks for a service name that the server never set a status for (grpc.service of the probe).',
          ]
        : status
          ? [
              `the server answers ${status.fields['status']}`,
              'The server answers, but says that it does not serve: a dependency is missing, it still starts, or the status was never set to SERVING.',
            ]
          : connect
            ? [
                connection,
                'Nothing speaks gRPC in time on that port: it is another port, listens on 127.0.0.1 only, wants TLS (the probe of the kubelet speaks plain text), or is too slow.',
              ]
            : ['probe and server do not speak the same protocol', 'The port answers with something else than plain gRPC: HTTP/1 or TLS.'];
    return {
      ...namesOf(place),
      probe: (probe ?? spec?.probe ?? 'health').toLowerCase(),
      named: spec ? entityOf(spec.about).name : '',
      portField: connect && !none && !name && !status && !preface && spec ? `${spec.probe}Probe.grpc.port` : '',
      problem: problem ?? '',
      mechanism: mechanism ?? '',
      status: status?.fields['status'] ?? 'NOT_SERVING',
      connection,
      specText: spec?.text ?? 'grpc',
    };
  },

  fixes: [
    {
      say: 'Ask the server as the probe does',
      risk: 'reads-only',
      steps: [
        {
          say: 'port and service name of the probe',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nA4 'grpc:'",
          on: 'cluster',
        },
        {
          say: 'through a port-forward',
          run: 'kubectl -n {{namespace}} port-forward {{target}} 9090:PORT & sleep 2; grpcurl -plaintext localhost:9090 grpc.health.v1.Health/Check',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Register the health service in the server, and set the status to SERVING when it is ready',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'every gRPC library brings it (health.NewServer in Go, HealthServicer in Python, HealthStatusManager in Java); the empty service name stands for the whole server',
          run: 'kubectl -n {{namespace}} port-forward {{target}} 9090:PORT & sleep 2; grpcurl -plaintext localhost:9090 list',
          on: 'cluster',
        },
      ],
      verified: 'grpc.health.v1.Health/Check answers SERVING',
    },
    {
      say: 'Or correct the probe: port, service name, timeoutSeconds, or another kind of probe (tcpSocket; a command for servers with TLS)',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'the gRPC probe of the kubelet has no TLS and no authentication',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      changes: [
        {
          do: 'workload-set',
          container: '{{named}}',
          field: '{{portField}}',
          value: { ask: 'port', says: 'the port at which the program serves gRPC' },
        },
      ],
      verified: 'no event Unhealthy',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/probe/grpc/grpc.go', 'grpc-ecosystem/grpc-health-probe main.go', 'grpc doc/health-checking.md'],
});
