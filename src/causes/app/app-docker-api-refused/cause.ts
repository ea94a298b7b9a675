import { defineCause, excludes, line, minutes, namesOf, proves, supports, versionAtLeast } from '../../define-cause.ts';

const refused = line(
  ['Minimum supported API version is', 'Maximum supported API version is', 'client is newer than server'],
  'container-log',
  /client version (?<client>[\d.]{3,10}) is too (?<side>old|new)\. (?:Minimum|Maximum) supported API version is (?<served>[\d.]{3,10})|client is newer than server \(client API version: (?<newer>[\d.]{3,10}), server API version: (?<older>[\d.]{3,10})\)/,
);
/** The adapter of the kubelet is no program of a pod. */
const adapter = line(['docker version'], [], /failed to (?:get docker version from dockerd|retrieve docker version): /);

export const cause = defineCause({
  id: 'app-docker-api-refused',
  area: 'app',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'not-ready', 'failed', 'init-crash', 'other-trouble'],

  text: {
    name: 'Docker refuses the client in a pod',
    title: 'Docker of the node refuses {workload}: its Docker client speaks API {client}, and the daemon serves {limit}',
    why: 'The program speaks to the Docker of its node (a mounted docker.sock) with a client library of its own, which asks for version {client} of the API. The daemon serves {limit}. {rule} Nothing is wrong with the socket or its permissions.',
  },

  clues: {
    refused: proves(refused, ({ channel }) => channel === 'container-log' || channel === 'prose'),
    upgraded: supports('host.version', ({ component, version }) => /^docker/i.test(component) && versionAtLeast(version, '25.0')),
    adapter: excludes(adapter),
  },
  says: {
    refused: 'the daemon turns the client away: API {client}, it serves {limit}',
    upgraded: 'Docker is {docker}: it dropped old versions of its API',
    adapter: 'it is cri-dockerd, the adapter of the kubelet, that is refused',
  },
  slots: (place, { refused: said, upgraded }) => {
    const fields = said?.fields ?? {};
    const tooNew = fields['newer'] !== undefined || fields['side'] === 'new';
    const client = fields['client'] ?? fields['newer'] ?? 'of another version';
    const served = fields['served'] ?? fields['older'] ?? 'another one';
    return {
      ...namesOf(place),
      workload: /^\?|\/\?/.test(place.id) ? 'a program in a pod' : place.name,
      client,
      docker: upgraded?.version ?? '25 or later',
      limit: tooNew ? `${served} and older` : `${served} and newer`,
      pinned: tooNew ? served : client,
      rule: tooNew
        ? 'The client is newer than the daemon and does not ask which version it has.'
        : 'Docker 25 dropped the versions before 1.24, and Docker 29 those before 1.44, so programs with an old client fail after such an upgrade of Docker.',
    };
  },

  fixes: [
    {
      say: 'Compare both sides',
      risk: 'reads-only',
      steps: [
        { say: 'what the daemon serves: API version, minimum version', run: 'docker version | grep -E "API version|Version"', on: 'node' },
        { say: 'which image asks', run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE 'image:|docker.sock'", on: 'cluster' },
      ],
    },
    {
      say: 'Use a release of the program with a newer Docker client; one that reads DOCKER_API_VERSION can be told a version that both know',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'only a program that is too new for the daemon is helped by this; one that is too old needs the next fix or an upgrade',
          run: 'kubectl -n {{namespace}} set env {{target}} DOCKER_API_VERSION={{pinned}}',
          on: 'cluster',
        },
      ],
      verified: 'the program lists containers or images again',
    },
    {
      say: 'Or let Docker serve the old version for now (Docker 29 and later), or go back one release of Docker',
      risk: 'touches-node',
      steps: [
        {
          say: 'the same as "min-api-version" in /etc/docker/daemon.json',
          run: `mkdir -p /etc/systemd/system/docker.service.d && printf '[Service]\\nEnvironment=DOCKER_MIN_API_VERSION={{client}}\\n' > /etc/systemd/system/docker.service.d/min-api.conf && systemctl daemon-reload && systemctl restart docker`,
          on: 'node',
        },
      ],
      verified: 'docker version shows the lower minimum version',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['moby daemon/server/middleware/version.go', 'docs.docker.com: engine release notes 25.0 and 29, DOCKER_MIN_API_VERSION'],
});
