import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['kubelet-log', 'system-log', 'container-log'] as const;
const newer = line(
  ['newer than datastore and could cause'],
  SAID_BY,
  /(?<files>\/var\/lib\/rancher\/[^\s"\\]{3,200}?)(?:, \/[^\n"]{0,2000}?)? newer than datastore and could cause a cluster outage|newer than datastore and could cause a cluster outage/,
);
const up = line(['k3s is up and running', 'rke2 is up and running'], [], /(?:k3s|rke2) is up and running/);

export const cause = defineCause({
  id: 'k3s-files-newer-than-datastore',
  area: 'control-plane',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['control-plane-down', 'kubelet-down', 'node-not-ready', 'other-trouble'],

  text: {
    name: 'Certificates newer than datastore',
    title: 'k3s or rke2 on {node} refuses to start: its certificate files are newer than the copy in the datastore ({file})',
    why: 'k3s and rke2 keep the CA and key files of the servers twice: on disk and in the datastore. At the start they compare them; where a file on disk is newer than the datastore, they stop rather than guess, since a wrong CA would cut off all nodes. That happens after a restore of an older snapshot, a clock that was wrong when the files were made, files copied or touched by hand, or certificates rotated while the datastore was away.',
  },

  clues: {
    newer: proves(newer),
    clock: supports('host.clock', ({ synchronized }) => !synchronized),
    up: excludes(up),
  },
  says: {
    newer: 'k3s or rke2 finds {file} newer than the datastore and stops',
    clock: 'the clock of this machine is not synchronised',
    up: 'it has come up since',
  },
  slots: (place, { newer: said }) => {
    const file = said?.fields['files'] ?? '/var/lib/rancher/k3s/server/tls';
    return { node: place.name, file, product: file.includes('/rke2/') ? 'rke2' : 'k3s' };
  },

  fixes: [
    {
      say: 'See which of the two is right before anything is deleted',
      risk: 'reads-only',
      steps: [
        {
          say: 'age of the files and the clock of this machine',
          run: 'ls -la --time-style=full-iso /var/lib/rancher/{{product}}/server/tls /var/lib/rancher/{{product}}/server/cred; timedatectl | head -5',
          on: 'node',
        },
      ],
    },
    {
      say: 'The datastore is right (the other servers run): set the files named in the message aside; they are made anew from the datastore',
      risk: 'touches-node',
      steps: [
        {
          say: 'move the folders tls and cred aside, start again',
          run: 'mkdir -p /var/backups/server-files && mv /var/lib/rancher/{{product}}/server/tls /var/lib/rancher/{{product}}/server/cred /var/backups/server-files/; systemctl restart {{product}} || systemctl restart {{product}}-server',
          on: 'node',
        },
      ],
      verified: 'kubectl get nodes shows this server Ready',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['k3s pkg/cluster/bootstrap.go (ReconcileBootstrapData)', 'docs.k3s.io: certificate, etcd-snapshot'],
});
