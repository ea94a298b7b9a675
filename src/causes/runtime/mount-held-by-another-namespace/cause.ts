import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const CHANNELS = ['pod-events', 'kubelet-log', 'containerd-log', 'docker-log', 'crio-log'] as const;
/** Removing the folder or file a mount stands on fails as long as any mount namespace still holds a copy of the mount. */
const busy = line(
  'device or resource busy',
  CHANNELS,
  /(?:unlinkat|failed to unmount target|umount|remove|rmdir|rm|rename|unlink) [\\"']{0,4}(?<path>\/(?:var\/)?run\/(?:netns|docker\/netns)\/[\w.-]{1,120}|\/var\/lib\/(?:docker|containerd|containers|kubelet)\/[^\s"'\\:]{1,300}|\/(?:var\/)?run\/containerd\/[^\s"'\\:]{1,300})[\\"']{0,4}: device or resource busy/,
);
const cgroup = line('device or resource busy', CHANNELS, /\/sys\/fs\/cgroup[^\n]{0,300}device or resource busy/);
const WIDE = /^\/(?:$|rootfs|var\/?$|run\/?$|var\/run\/?$|var\/lib\/?(?:$|docker|containerd|kubelet))/;

export const cause = defineCause({
  id: 'mount-held-by-another-namespace',
  area: 'runtime',
  at: 'Node',
  maturity: 'stable',
  explains: ['stuck-terminating', 'creating', 'create-error', 'other-trouble'],

  text: {
    name: 'Mount held by another pod',
    title: 'A mount on {node} cannot be removed ({path}: device or resource busy): another mount namespace holds a copy of it',
    why: 'A container that mounts a wide host path (/, /var, /run, /var/lib/kubelet) with private propagation (rprivate, the default) gets copies of all mounts below it. When a pod goes, the host unmounts {path}, but the copy in the other mount namespace stays and keeps it busy: the runtime cannot delete it, tries again and again, and the pod stays in Terminating.{who}',
  },

  clues: {
    busy: proves(busy),
    wide: supports(
      'pod.volume',
      ({ hostPath, mountPropagation }) =>
        hostPath !== undefined && WIDE.test(hostPath) && !/HostToContainer|Bidirectional/.test(mountPropagation ?? ''),
    ),
    stuck: supports('pod.symptom', ({ symptom }) => symptom === 'stuck-terminating'),
    cgroup: excludes(cgroup),
  },
  says: {
    busy: '{path} cannot be removed: device or resource busy',
    wide: 'a pod mounts the host path {host} without HostToContainer propagation',
    stuck: 'a pod does not end',
    cgroup: 'it is a cgroup that is busy: processes are still in it',
  },
  slots: (place, { busy: said, wide }) => ({
    node: place.name,
    path: said?.fields['path'] ?? 'a mount point',
    host: wide?.hostPath ?? '/',
    who: wide ? ` The host path ${wide.hostPath} is mounted so by ${wide.about.split('/').at(-1) ?? 'a pod'}.` : '',
  }),

  fixes: [
    {
      say: 'Find the process whose mount namespace holds it',
      risk: 'reads-only',
      steps: [
        {
          say: 'the pids that still see the mount',
          run: 'grep -l {{path}} /proc/[0-9]*/mountinfo | cut -d/ -f3 | xargs -r ps -o pid,cgroup,args -p',
          on: 'node',
        },
        {
          say: 'pods that mount wide host paths',
          run: `kubectl get pods -A -o json | jq -r '.items[] | select(.spec.volumes[]?.hostPath.path | . == "/" or . == "/var" or . == "/run" or . == "/var/lib/kubelet") | .metadata.namespace + "/" + .metadata.name'`,
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Give that volume mount the propagation HostToContainer (rslave)',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'mountPropagation: HostToContainer in its volumeMounts (Bidirectional where it mounts for others), or mount a narrower path',
          run: 'kubectl edit daemonset NAME -n NAMESPACE',
          on: 'cluster',
        },
        {
          say: 'delete the pod that holds the mount, so that it comes back with the new setting',
          run: 'kubectl delete pod POD -n NAMESPACE',
          on: 'cluster',
        },
      ],
      verified: 'the path is gone from the node, and the pod in Terminating goes away',
    },
    {
      say: 'On old kernels (RHEL and CentOS 7): let the kernel detach such mounts',
      risk: 'touches-node',
      steps: [
        {
          say: 'now and at boot',
          run: 'sysctl -w fs.may_detach_mounts=1 && echo fs.may_detach_mounts=1 > /etc/sysctl.d/99-detach.conf',
          on: 'node',
        },
      ],
      changes: [{ do: 'sysctl', key: 'fs.may_detach_mounts', value: '1' }],
      verified: 'sysctl fs.may_detach_mounts says 1',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['mount_namespaces(7)', 'containerd pkg/netns', 'kubernetes volume mountPropagation', 'RHEL 7 fs.may_detach_mounts'],
});
