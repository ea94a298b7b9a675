import { byContainers, byDaemons, defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const inUse = line(
  ['address already in use', 'EADDRINUSE', 'already in use', 'Only one usage of each socket address', 'Connection in use:'],
  ['container-log', 'control-plane-log'],
  /(?:listen|bind|socket|address)[^\n]{0,80}?[:\]](?<listen>\d{2,5})\b[^\n]{0,60}?address already in use|EADDRINUSE[^\d\n]{0,60}(?<node>\d{2,5})\b|, (?<python>\d{2,5})\)[^\n]{0,40}?address already in use|address already in use[^\n]{0,80}?:(?<after>\d{2,5})\b|\bport (?<port>\d{2,5}) (?:was|is) already in use|Connection in use: \([^,\n]{1,60}, (?<gunicorn>\d{2,5})\)|address already in use|EADDRINUSE|Only one usage of each socket address/i,
);

const ofDaemon = line('address already in use', ['container-log', 'kubelet-log', 'containerd-log', 'docker-log']);

export const cause = defineCause({
  id: 'app-port-already-in-use',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash'],
  effectOf: ['vxlan-device-conflict', 'host-process-collision'],

  text: {
    name: 'Port already in use',
    title: '{container} cannot listen on {port}: address already in use',
    why: 'Another process already listens on {port} in the same network namespace, so {container} cannot bind it and ends. {where}',
  },

  clues: {
    inUse: proves(inUse, byContainers),
    hostNetwork: supports('pod.host-network'),
    ofDaemon: excludes(ofDaemon, byDaemons),
    well: excludes('pod.status', isWell),
    over: excludes('pod.history'),
  },
  says: {
    inUse: 'binding {port} fails: address already in use',
    hostNetwork: 'the pod uses the network of the host, where every program shares the ports',
    ofDaemon: 'a daemon of the node says it, not the container',
    well: 'the pod runs and is ready, or has finished well',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { inUse: bind, hostNetwork }) => {
    const port = Object.values(bind?.fields ?? {})[0];
    return {
      ...namesOf(place),
      port: port ? `port ${port}` : 'its port',
      number: port ?? 'PORT',
      where: hostNetwork
        ? 'With hostNetwork that is any program of the node: a service of the host, another pod with hostNetwork or hostPort, or an old instance that has not ended yet.'
        : 'Containers of one pod share their ports: two of them use the same one, the program starts twice, or (with hostNetwork) something else on the node has it.',
    };
  },

  fixes: [
    {
      say: 'Find who listens on {port}',
      risk: 'reads-only',
      steps: [
        { say: 'with hostNetwork: on the node', run: "ss -ltnp 'sport = :{{number}}'", on: 'node' },
        {
          say: 'without: ports of all containers of the pod, sidecars included',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE 'name:|containerPort|hostPort|hostNetwork|--.*port'",
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Give {container} another port, or stop the process that holds {port}',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'change the port in the settings of one of the two, and in its Service',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
        { say: 'with hostNetwork and a rolling update: let the old pod end first (maxSurge 0, or strategy Recreate)' },
        {
          say: 'a stray process on the node: stop and disable its service',
          run: "systemctl status \"$(ss -ltnpH 'sport = :{{number}}' | grep -o 'pid=[0-9]*' | head -1 | cut -d= -f2)\" --no-pager",
          on: 'node',
        },
      ],
      verified: '{container} listens on {port} and becomes ready',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['bind(2) EADDRINUSE', 'Go net, libuv, nginx, JDK and Python error texts'],
});
