import { defineCause, excludes, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['pod-status', 'pod-events', 'kubelet-log'] as const;

const ofContainer = line(
  ['exceeded its local ephemeral storage limit'],
  SAID_BY,
  /Container (?<container>[\w.-]{1,63}) exceeded its local ephemeral storage limit \\*"(?<limit>[\w.]{1,20})/,
);
const ofPod = line(
  ['ephemeral local storage usage exceeds the total limit'],
  SAID_BY,
  /Pod ephemeral local storage usage exceeds the total limit of containers (?<limit>[\w.]{1,20}?)(?:\.|\s|$)/i,
);
const ofVolume = line(
  ['Usage of EmptyDir volume'],
  SAID_BY,
  /Usage of EmptyDir volume \\*"(?<volume>[^"\\\n]{1,253})\\*" exceeds the limit \\*"(?<limit>[\w.]{1,20})/,
);
const ofNode = line(
  ['low on resource: ', 'node had condition'],
  [],
  /low on resource: \[?(?:memory|ephemeral-storage|inodes|nodefs|imagefs|pids)|node had condition: \[/i,
);

export const cause = defineCause({
  id: 'evicted-ephemeral-storage-limit',
  area: 'resource',
  at: 'Workload',
  maturity: 'stable',
  explains: ['evicted', 'failed', 'not-ready', 'pending', 'crash-loop', 'other-trouble'],

  text: {
    name: 'Own disk limit exceeded',
    title: '{name} was evicted for its own disk limit: {what} exceeds {limit}',
    why: 'The kubelet adds up what the pod writes to the local disk: the writable layer of its containers, their logs and its emptyDir volumes. {what} went over the limit of {limit} that the pod itself sets ({field}), so the kubelet evicted it, however much room the node still has; its controller makes a new pod, which fills up the same way.',
  },

  clues: {
    ofContainer: proves(ofContainer),
    ofPod: proves(ofPod),
    ofVolume: proves(ofVolume),
    evicted: supports('pod.status', ({ status }) => status === 'Evicted'),
    ofNode: excludes(ofNode),
  },
  says: {
    ofContainer: 'container {container} exceeded its ephemeral-storage limit of {limit}',
    ofPod: 'the pod exceeded the total ephemeral-storage limit of {limit}',
    ofVolume: 'the emptyDir volume {volume} exceeded its sizeLimit of {limit}',
    evicted: 'the pod is Evicted',
    ofNode: 'the node itself was short of memory or disk',
  },
  slots: (place, { ofContainer: container, ofPod: pod, ofVolume: volume }) => ({
    ...namesOf(place),
    name: place.name,
    container: container?.fields['container'] ?? 'of the pod',
    named: volume ? '' : (container?.fields['container'] ?? ''),
    volume: volume?.fields['volume'] ?? 'of the pod',
    limit: (volume ?? container ?? pod)?.fields['limit'] ?? 'its limit',
    what: volume
      ? `emptyDir volume ${volume.fields['volume']}`
      : container
        ? `container ${container.fields['container']}`
        : 'local storage of its containers',
    field: volume ? 'sizeLimit of the emptyDir' : 'resources.limits.ephemeral-storage',
  }),

  fixes: [
    {
      say: 'See what it writes, and what it may write',
      risk: 'reads-only',
      steps: [
        {
          say: 'the limits',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE 'ephemeral-storage|sizeLimit|emptyDir'",
          on: 'cluster',
        },
        {
          say: 'the large directories of a pod that still runs',
          run: 'kubectl -n {{namespace}} exec {{target}} -- sh -c "du -xh / 2>/dev/null | sort -rh | head -20"',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Raise the limit ({field}) to what it really needs, and the request with it',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'ephemeral-storage under resources, or sizeLimit of the emptyDir',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      changes: [{ do: 'workload-set', container: '{{named}}', field: 'resources.limits.ephemeral-storage', value: 'x2' }],
      verified: 'the pod is not evicted any more',
    },
    {
      say: 'Or write less there: rotate files, clean caches, write large data to a PersistentVolume',
      risk: 'restarts-pods',
      steps: [
        { say: 'logs written to stdout count as well until they are rotated (containerLogMaxSize of the kubelet)' },
        {
          say: 'remove the pods that were evicted',
          run: 'kubectl -n {{namespace}} delete pods --field-selector=status.phase=Failed',
          on: 'cluster',
        },
      ],
      verified: 'its usage stays below the limit',
    },
  ],

  verify: { quietForMinutes: minutes(30) },
  sources: ['kubernetes pkg/kubelet/eviction/eviction_manager.go, pkg/kubelet/eviction/helpers.go'],
});
