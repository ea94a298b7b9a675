import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const dpkg = `[root@alder ~]# tail -4 /var/log/dpkg.log
2026-03-04 06:12:31 upgrade containerd.io:amd64 1.6.33-1 1.7.19-1
2026-03-04 06:12:33 status installed containerd.io:amd64 1.7.19-1
`;
const node = '$ kubectl get nodes\nNAME    STATUS     ROLES    AGE   VERSION\nalder   NotReady   <none>   90d   v1.29.4\n';

testCause(cause, {
  finds: {
    'the runtime was upgraded and its file replaced': {
      evidence: {
        'dpkg.txt': dpkg,
        'nodes.txt': node,
        'term.txt':
          '[root@alder ~]# cat /var/log/apt/term.log\nInstalling new version of config file /etc/containerd/config.toml ...\n[root@alder ~]# ls /etc/docker\ndaemon.json.rpmnew\n',
        'journal.txt': 'Mar 04 06:12:30 alder systemd[1]: Starting apt-daily-upgrade.service - Daily apt upgrade and clean activities...\n',
      },
      confidence: 'probable',
      place: 'node alder',
      cites: ['dpkg.txt:2'],
    },
    'dnf tells it': {
      evidence: {
        'journal.txt':
          'Mar 04 06:12:30 alder dnf-automatic[3311]: Upgraded: containerd.io-1.7.19-3.1.el9.x86_64\nMar 04 06:12:30 alder yum[3311]: Updated: containerd.io-1.7.19-3.1.el9.x86_64\n',
        'nodes.txt': node,
        'config.toml': 'version = 2\n[plugins."io.containerd.grpc.v1.cri"]\n  sandbox_image = "registry.k8s.io/pause:3.9"\n',
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'held back': {
      evidence: {
        'dpkg.txt': dpkg,
        'apt.txt':
          '[root@alder ~]# apt-get upgrade\nThe following packages have been kept back: containerd.io\n[root@alder ~]# apt-mark hold containerd.io\ncontainerd.io was already set on hold.\n',
      },
      by: 'heldBack',
    },
  },
  asks: {
    'the history of packages': {
      evidence: { 'nodes.txt': node, 'host.txt': '[root@alder ~]# ls /etc/containerd\nconfig.toml.rpmsave\n' },
      for: 'system-log',
    },
  },
});
