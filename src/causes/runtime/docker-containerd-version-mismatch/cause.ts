import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['docker-log', 'pod-events', 'kubelet-log', 'containerd-log', 'host-tools', 'system-log'] as const;

const unknownCall = line(
  ['for service containerd.services.', 'unknown service containerd.services.', 'unknown service containerd.runtime.'],
  SAID_BY,
  /unknown (?:method (?<method>\w{2,60}) for service |service )(?<service>containerd\.(?:services|runtime)\.[\w.]{2,80})/,
);
const twoCopies = line(
  ['/usr/local/bin/containerd', '/usr/local/bin/docker', '/usr/local/sbin/containerd'],
  ['host-tools', 'unit-state'],
  /\/usr\/local\/s?bin\/(?<copy>dockerd?|containerd)\b/,
);
const gone = line(
  ['containerd.sock: connect: no such file', 'containerd.sock: connect: connection refused'],
  [],
  /containerd\.sock: connect: (?:no such file|connection refused)/,
);

export const cause = defineCause({
  id: 'docker-containerd-version-mismatch',
  area: 'runtime',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['creating', 'create-error', 'image-pull', 'init-stuck', 'runtime-down', 'node-not-ready', 'other-trouble'],
  effectOf: ['os-upgrade-replaced-runtime-config'],

  text: {
    name: 'Client newer than containerd',
    title: 'containerd on {node} is of another version than its client: it does not know {call}',
    why: 'dockerd, ctr and nerdctl talk to containerd by named calls; new versions add some. The containerd that answers on {node} does not know {call}, so it is older than the client that asks: leftovers of an earlier installation, a containerd that was not restarted after an upgrade, or packages of two repositories side by side. Pulls and containers fail until both are of one release.',
  },

  clues: {
    unknownCall: proves(unknownCall),
    twoCopies: supports(twoCopies),
    gone: excludes(gone),
  },
  says: {
    unknownCall: 'containerd answers: unknown, not implemented ({call})',
    twoCopies: 'there is a second copy of {copy} below /usr/local',
    gone: 'containerd does not answer at all',
  },
  slots: (place, { unknownCall: said, twoCopies: copies }) => {
    const service = said?.fields['service'];
    const method = said?.fields['method'];
    return {
      node: place.name,
      call: service === undefined ? 'the call of its client' : `${method === undefined ? '' : `${method} of `}${service}`,
      copy: copies?.fields['copy'] ?? 'containerd',
    };
  },

  fixes: [
    {
      say: 'See which copies there are, which of them run, and from which packages they come',
      risk: 'reads-only',
      steps: [
        {
          say: 'versions of both sides',
          run: 'docker version; ctr version; containerd --version; type -a docker dockerd containerd containerd-shim-runc-v2 runc',
          on: 'node',
        },
        { say: 'what runs', run: 'ls -l /proc/$(pgrep -x containerd | head -1)/exe /proc/$(pgrep -x dockerd | head -1)/exe', on: 'node' },
        {
          say: 'packages',
          run: 'rpm -qa 2>/dev/null | grep -iE "docker|containerd|runc|podman"; dpkg -l 2>/dev/null | grep -iE "docker|containerd|runc|podman"',
          on: 'node',
        },
      ],
    },
    {
      say: 'Remove the leftovers, install docker and containerd from one repository, and restart both',
      risk: 'touches-node',
      steps: [
        {
          say: 'Debian, Ubuntu',
          run: 'apt-get install -y --reinstall docker-ce docker-ce-cli containerd.io',
          on: 'node',
          family: 'debian',
        },
        { say: 'RHEL, CentOS', run: 'yum reinstall -y docker-ce docker-ce-cli containerd.io', on: 'node', family: 'rhel' },
        { say: 'containerd first, then docker', run: 'systemctl restart containerd && systemctl restart docker', on: 'node' },
      ],
      verified: 'docker version shows both sides, and a pull works',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['containerd api/services', 'grpc-go server.go (unknown method, unknown service)'],
});
