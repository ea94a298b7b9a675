import { defineCause, excludes, line, minutes, namesOf, needs, proves, supports } from '../../define-cause.ts';

/** Somebody outside of the container is turned away at once. */
const refused = line(
  ['connection refused', 'Connection refused', 'while connecting to upstream'],
  ['pod-events', 'kubelet-log', 'container-log', 'host-tools'],
  /probe (?:failed|errored)[^\n]{0,300}?dial tcp (?!127\.|\[::1\])[\da-fA-F.:[\]]{3,50}:\d{1,5}: connect: connection refused|connect\(\) failed \(111: Connection refused\) while connecting to upstream|curl: \(7\) Failed to connect to (?!localhost|127\.)\S{1,253} port \d{1,5}[^\n]{0,40}: Connection refused/,
);
/** Names of servers that print the address they bind; "localhost" only where it is no mere decoration. */
const listens = line(
  [
    'http://127.0.0.1:',
    'https://127.0.0.1:',
    'tcp://127.0.0.1:',
    'tcp://localhost:',
    'on 127.0.0.1:',
    'address "127.0.0.1"',
    'Now listening on: http://localhost:',
    'is listening on localhost:',
    'use --host to expose',
  ],
  ['container-log', 'prose'],
  /(?:(?<main>\* Running on|Uvicorn running on|development server at)|[Rr]unning (?:on|at)(?: local URL)?:?|[Ll]istening (?:on|at)(?: IPv4 address)?:?|[Ll]istening and serving HTTPS? on|launched from|[Ss]erver (?:is )?(?:running|started|listening) (?:on|at))\s{1,4}["']?(?<web>https?:\/\/|tcp:\/\/)?(?<address>127\.0\.0\.1)["']?(?::|, port )(?<port>\d{2,5})|(?:[Ll]istening on:? (?:tcp|http):\/\/|is listening on )(?<name>localhost):(?<other>\d{2,5})|(?<vite>use --host to expose)/,
);
const flag = line(
  ['=127.0.0.1', '=localhost:', ' 127.0.0.1', 'bindIp: 127.0.0.1', 'bind-address = 127.0.0.1', 'listen_addresses = '],
  ['pod-spec', 'objects', 'prose', 'host-tools'],
  /(?:^|[\s"'])--?(?<flag>(?:bind|listen|host|http|address|web\.listen|server)[\w.-]{0,40})[= ]"?(?:127\.0\.0\.1|localhost)(?::\d{1,5})?(?:[\s"',\]]|$)|bindIp: 127\.0\.0\.1\s*$|bind-address\s{0,4}= 127\.0\.0\.1|listen_addresses = 'localhost'/,
);
/** Not one for metrics, health or administration only. */
const inSpec = proves(
  'container.spec',
  ({ command = '', args = '', init }) =>
    !init &&
    /(?:^|\s)--?(?:bind|listen|host|address|bind-address|listen-address|http-address|http-host|web\.listen-address)[= ](?:127\.0\.0\.1|localhost)(?::\d{1,5})?(?:\s|$)/.test(
      `${command} ${args}`,
    ),
);
const everywhere = line(
  ['Running on all addresses', '0.0.0.0:', 'on [::]:', 'http://[::]:', 'http://*:', 'on all interfaces'],
  [],
  /Running on all addresses|(?:[Rr]unning|[Ll]isten\w{0,4}|[Ss]tarted)[^\n]{0,80}?(?:0\.0\.0\.0|\[::\]|\*):\d{2,5}|on all interfaces/,
);

export const cause = defineCause({
  id: 'app-listens-on-loopback-only',
  area: 'app',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['not-ready', 'restarts', 'crash-loop', 'failed', 'other-trouble'],

  text: {
    name: 'Listens on 127.0.0.1 only',
    title: 'The program of {workload} listens on 127.0.0.1 only{port}: probes and Services, which call the pod address, are refused',
    why: 'Kubelet, Services and ingress controllers connect to the address of the pod. A server bound to 127.0.0.1 (loopback, localhost) takes connections only from inside of its own pod, so all others get "connection refused", while kubectl port-forward and a curl in the container work. {what}.',
  },

  clues: {
    refused: needs(refused),
    // These have one port; lines of others may tell of a second one, for metrics or administration.
    serves: proves(listens, ({ fields }) => fields['main'] !== undefined && fields['address'] !== undefined),
    listens: supports(listens),
    flag: supports(flag),
    inSpec,
    everywhere: excludes(everywhere),
  },
  says: {
    refused: 'a connection from outside of the container is refused at once',
    serves: 'the server says that it listens on the loopback address{port}',
    listens: 'the program says that it listens on the loopback address{port}',
    flag: 'it is told to bind the loopback address',
    inSpec: 'its command binds the loopback address',
    everywhere: 'it listens on all addresses',
  },
  slots: (place, { listens: said, flag: told, inSpec: spec }) => {
    const port = said?.fields['port'] ?? said?.fields['other'];
    const option = told?.fields['flag'];
    return {
      ...namesOf(place),
      workload: place.name === '?' ? 'the pod' : place.name,
      port: port ? ` (port ${port})` : '',
      what: option
        ? `Its option --${option} says so`
        : spec
          ? 'Its command line says so'
          : said?.fields['vite']
            ? 'The development server of Vite does so unless it is started with --host'
            : 'Many frameworks do so by default, or in development mode',
    };
  },

  fixes: [
    {
      say: 'See what it listens on, from inside',
      risk: 'reads-only',
      steps: [
        {
          say: '127.0.0.1:PORT is not reachable, 0.0.0.0:PORT or *:PORT is',
          run: 'kubectl -n {{namespace}} exec {{target}} -- sh -c "ss -ltn || netstat -ltn"',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Bind 0.0.0.0 (all addresses) in the command or the environment of the program',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'Flask and uvicorn --host 0.0.0.0; gunicorn -b 0.0.0.0:PORT; Django runserver 0.0.0.0:PORT; Vite and Angular --host 0.0.0.0; Rails -b 0.0.0.0; Fastify listen with host 0.0.0.0; --bind-address=0.0.0.0',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
        {
          say: 'ASP.NET Core',
          run: 'kubectl -n {{namespace}} set env {{target}} ASPNETCORE_URLS=http://0.0.0.0:8080',
          on: 'cluster',
        },
      ],
      verified: 'the readiness probe passes and the Service answers',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/probe', 'werkzeug serving.py', 'vite packages/vite/src/node/logger.ts', 'ASP.NET Core Kestrel'],
});
