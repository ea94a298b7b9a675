import { defineCause, excludes, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const noRegistry = line(
  'hostPath type check failed',
  ['pod-events', 'kubelet-log'],
  /hostPath type check failed: (?<path>(?<dir>\/\S{0,200}?kubelet)(?:\/(?:plugins_registry|plugins|pods)[^\s\\"]{0,100})?\/?) is not a directory/,
);
const longPath = line(
  ['bind: invalid argument', 'failed to listen'],
  'container-log',
  /(?:listen|bind)[^\n]{0,40}?(?<path>\/[^\s:"\\]{0,60}kubelet\/plugins(?:_registry)?\/[^\s:"\\]{1,200})[^\n]{0,40}bind: invalid argument/,
);
const notSeen = line(
  ['no such file or directory', 'does not exist'],
  ['pod-events', 'kubelet-log', 'container-log'],
  /rpc error: code = [\s\S]{0,400}?(?<path>(?<dir>\/(?:var\/lib\/k0s|var\/snap\/microk8s\/common\/var\/lib|var\/data|data|mnt|opt|var\/lib\/rancher\/k3s\/agent|var\/vcap\/data)\/kubelet)\/(?:pods|plugins)[^\s:"\\]{0,300})[\\"]{0,4}:? (?:no such file or directory|does not exist)/,
);
/** The driver answered that all is well, and yet nothing is where the kubelet looks: it mounted below another directory. */
const elsewhere = line(
  ['applyFSGroup failed for vol'],
  ['pod-events', 'kubelet-log'],
  /applyFSGroup failed for vol [^\n]{1,300}?: l?stat (?<path>(?<dir>\/[^\s:"\\]{0,120}\/kubelet)\/pods\/[^\s:"\\]{1,300}\/mount): no such file or directory/,
);
const registration = line(
  ["kubelet plugin registration hasn't succeeded yet", 'Registration probe failed'],
  ['container-log', 'pod-events'],
  /registration hasn't succeeded yet, file=(?<path>\/[^\s"\\]{1,200}) doesn't exist|Registration probe failed/,
);
const otherPath = line('hostPath type check failed', [], /hostPath type check failed: (?!\/\S{0,200}kubelet)\/\S{1,300} is not/);

export const cause = defineCause({
  id: 'kubelet-root-dir-nonstandard',
  area: 'storage',
  at: 'Workload',
  maturity: 'stable',
  explains: ['creating', 'init-stuck', 'crash-loop', 'not-ready'],

  text: {
    name: 'Driver expects another kubelet directory',
    title: '{workload} expects the kubelet directory {dir}, which is not the one of this node',
    why: 'The node plugin of a storage driver mounts the directory of the kubelet from the host: sockets are registered in plugins_registry, volumes are mounted below pods. It was installed for {dir}; the kubelet of this node has its root directory elsewhere (microk8s, k0s, a moved --root-dir; k3s and kubeadm use /var/lib/kubelet). So the plugin does not start, does not register, or mounts where nobody looks.',
  },

  clues: {
    noRegistry: proves(noRegistry),
    elsewhere: proves(elsewhere, ({ fields }) => fields['dir'] !== '/var/lib/kubelet'),
    unmounted: supports(elsewhere, ({ fields }) => fields['dir'] === '/var/lib/kubelet'),
    notSeen: supports(notSeen),
    longPath: supports(longPath),
    registration: supports(registration),
    rootDir: supports(
      'kubelet.setting',
      ({ key, value }) => /^root-?dir(?:ectory)?$/i.test(key) && !/^\/var\/lib\/kubelet\/?$/.test(value),
    ),
    otherPath: excludes(otherPath),
  },
  says: {
    noRegistry: 'the directory {path} is not on the node',
    elsewhere: 'the driver says that it mounted the volume, and {path} is not there',
    unmounted: 'the volume counts as mounted, and {path} is not there',
    notSeen: 'the driver does not see {path}, which the kubelet told it',
    longPath: 'the path of its socket is too long below this directory',
    registration: 'the driver does not get registered with the kubelet',
    rootDir: 'the kubelet runs with the root directory {root}',
    otherPath: 'another path of the host is missing, not that of the kubelet',
  },
  slots: (place, { noRegistry: missing, elsewhere: other, unmounted, notSeen: unseen, longPath: long, registration: waits, rootDir }) => ({
    workload: place.kind === 'Workload' || place.kind === 'Pod' ? place.name : 'The storage driver',
    ...namesOf(place),
    dir: missing?.fields['dir'] ?? '/var/lib/kubelet',
    path:
      missing?.fields['path'] ??
      other?.fields['path'] ??
      unmounted?.fields['path'] ??
      unseen?.fields['path'] ??
      long?.fields['path'] ??
      waits?.fields['path'] ??
      'its directory',
    root: rootDir?.value ?? other?.fields['dir'] ?? unseen?.fields['dir'] ?? 'elsewhere',
  }),

  fixes: [
    {
      say: 'Find the real directory of the kubelet',
      risk: 'reads-only',
      steps: [
        {
          say: 'its flag, or the directory with plugins_registry',
          run: 'ps -ef | grep -o -- "--root-dir[= ][^ ]*"; ls -d /var/lib/kubelet /var/snap/microk8s/common/var/lib/kubelet /var/lib/k0s/kubelet 2>/dev/null',
          on: 'node',
        },
        { say: 'paths the driver mounts', run: 'kubectl -n {{namespace}} get {{target}} -o yaml | grep -n kubelet', on: 'cluster' },
      ],
    },
    {
      say: 'Tell the driver that directory and roll it out again',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'charts call it kubeletDir, kubeletRootDir, kubeletPath, node.kubeletPath, csi.kubeletRootDir (Longhorn), ROOK_CSI_KUBELET_DIR_PATH (Rook); some want a slash at its end',
          run: 'helm upgrade RELEASE CHART --reuse-values --set kubeletDir=/REAL/DIRECTORY',
          on: 'cluster',
        },
      ],
      verified: 'kubectl get csinode lists the driver on every node',
    },
    {
      say: 'Or make the usual path lead to the real one (bind mount; a link is not enough for mounts to be seen)',
      risk: 'touches-node',
      steps: [
        {
          say: 'microk8s for example; put it into /etc/fstab as well',
          run: 'mkdir -p /var/lib/kubelet && mount --rbind /var/snap/microk8s/common/var/lib/kubelet /var/lib/kubelet',
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/volume/hostpath/host_path.go',
    'kubernetes-csi/node-driver-registrar README',
    'hpe-storage/csi-driver issue 247',
    'democratic-csi issues 68, 75',
  ],
});
