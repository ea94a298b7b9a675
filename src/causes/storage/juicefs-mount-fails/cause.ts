import { defineCause, excludes, line, minutes, NAMED_VOLUME, namesOf, proves, supports, withContext } from '../../define-cause.ts';

const SAID_BY = ['pod-events', 'kubelet-log', 'container-log', 'prose'] as const;
const meta = line(
  ['Meta is not available', 'Invalid meta driver'],
  SAID_BY,
  withContext(/(?:<FATAL>: (?<meta>Meta is not available: [^\n"]{3,200})|(?<driver>Invalid meta driver: \S{1,60}))/, {
    may: [NAMED_VOLUME],
  }),
);
const unformatted = line(
  ['database is not formatted', 'please run `juicefs format'],
  SAID_BY,
  withContext(/(?<reason>database is not formatted)/, { may: [NAMED_VOLUME] }),
);
const auth = line(
  ['juicefs auth error', 'juicefs auth: '],
  SAID_BY,
  withContext(/juicefs auth(?: error)?: (?<reason>[^\n]{3,200})/, { may: [NAMED_VOLUME] }),
);
const mountPod = line(
  ['Could not mount juicefs', 'juicefs mount pod', 'mount pod is not ready'],
  SAID_BY,
  withContext(/(?:Could not mount juicefs: (?<reason>[^\n]{3,250})|juicefs mount pod (?<pod>[\w.-]{1,253})|mount pod is not ready)/, {
    may: [NAMED_VOLUME],
  }),
);
const mounted = line('MountVolume.SetUp succeeded for volume', []);

export const cause = defineCause({
  id: 'juicefs-mount-fails',
  area: 'storage',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['creating', 'init-stuck', 'crash-loop', 'other-trouble'],

  text: {
    name: 'JuiceFS volume cannot be mounted',
    title: 'The JuiceFS volume {volume} cannot be mounted: {what}',
    why: 'For a JuiceFS volume the CSI driver starts a mount pod on the node, which takes the metadata address (metaurl) or the token from a Secret, reads the settings of the file system there, and then mounts it. Here {what}: "{error}". The pods that use the volume wait in ContainerCreating.',
  },

  clues: {
    meta: proves(meta),
    unformatted: proves(unformatted),
    auth: supports(auth),
    mountPod: supports(mountPod),
    mounted: excludes(mounted),
  },
  says: {
    meta: 'the metadata engine does not answer as expected: {error}',
    unformatted: 'the metadata database holds no file system yet',
    auth: 'the token or name in its Secret is not taken: {error}',
    mountPod: 'the mount pod of the driver fails: {error}',
    mounted: 'the volume was mounted since',
  },
  slots: (place, { meta: engine, unformatted: empty, auth: token, mountPod: pod }) => {
    const error =
      engine?.fields['meta'] ??
      engine?.fields['driver'] ??
      empty?.fields['reason'] ??
      token?.fields['reason'] ??
      pod?.fields['reason'] ??
      'see the log of the mount pod';
    return {
      namespace: namesOf(place).namespace,
      volume: engine?.fields['volume'] ?? empty?.fields['volume'] ?? token?.fields['volume'] ?? pod?.fields['volume'] ?? 'of the pod',
      error: error.replace(/\s+/g, ' ').trim().slice(0, 160),
      what: empty
        ? 'no file system was made in its metadata database yet (juicefs format), or metaurl names another database'
        : token
          ? 'the token or name in its Secret is not taken, or the service that checks it is out of reach'
          : engine
            ? 'its metadata engine (Redis, MySQL, TiKV, …) cannot be used'
            : 'its mount pod does not get ready',
    };
  },

  fixes: [
    {
      say: 'Read the mount pod and the Secret of the volume',
      risk: 'reads-only',
      steps: [
        { say: 'mount pods and driver', run: 'kubectl get pods -A -o wide | grep -i juicefs', on: 'cluster' },
        {
          say: 'what the mount pod says',
          run: 'kubectl -n kube-system logs -l app.kubernetes.io/name=juicefs-mount --tail=50',
          on: 'cluster',
        },
        {
          say: 'which Secret the volume uses; it needs name and metaurl (or token), storage, bucket and keys',
          run: 'kubectl get pv -o yaml | grep -A3 -i nodePublishSecretRef',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Correct the Secret (metaurl, token, bucket, keys), then let the mount pod start anew',
      risk: 'restarts-pods',
      steps: [
        { say: 'as in the documentation of the driver', run: 'kubectl -n kube-system edit secret JUICEFS-SECRET', on: 'cluster' },
        { say: 'the driver makes a new mount pod', run: 'kubectl -n {{namespace}} delete pod POD', on: 'cluster' },
      ],
      verified: 'the mount pod is Running and the volume is mounted',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['juicedata/juicefs cmd/mount.go, pkg/meta', 'juicedata/juicefs-csi-driver pkg/juicefs/juicefs.go'],
});
