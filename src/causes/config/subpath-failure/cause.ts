import { defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const PRINTED_BY = ['pod-events', 'kubelet-log', 'pod-spec', 'containerd-log', 'docker-log', 'crio-log'] as const;

const prepare = line(
  ['subPath for volumeMount', 'subPath directory for volumeMount', 'unable to provision SubPath', 'error SubPath `'],
  PRINTED_BY,
  /(?:prepare subPath|create subPath directory) for volumeMount (?:[\\"']{1,8}(?<mount>[^"'\\\n]{1,253})[\\"']{1,8} of container [\\"']{1,8}(?<container>[^"'\\\n]{1,63})|of the container)|(?:unable to provision|error) SubPath `(?<path>[^`\n]{1,253})`(?<rule> must not be an absolute path| must not contain \\*"\.\.)?/,
);
const mountFails = line(
  ['/volume-subpaths/'],
  PRINTED_BY,
  /mount(?:ing)? [\\"'`]{0,40}[^\s"'`\\]{1,200}\/volume-subpaths\/(?<volume>[^/\s\\]{1,253})\/(?<container>[^/\s\\]{1,63})\/\d{1,4}[\\"'`]{0,40} to rootfs[^\n]{0,400}? at [\\"'`]{1,40}(?<target>\/[^"'\\`\n]{1,400})[\\"'`][^\n]{0,900}?(?<why>not a directory|is a directory|no such file or directory|operation not permitted|permission denied)/,
);
const ontoFile = line(
  ['mount a directory onto a file', 'to rootfs at', 'to rootfs'],
  PRINTED_BY,
  /mount(?:ing)? [\\"'`]{0,40}(?![^\s"'`\\]{1,300}\/volume-subpaths\/)(?<source>\/[^\s"'`\\]{1,400})[\\"'`]{0,40} to rootfs[^\n]{0,400}? at [\\"'`]{1,40}(?<target>\/[^"'\\`\n]{1,400})[\\"'`][^\n]{0,900}?(?<why>not a directory)/,
);
const statFails = line(
  ['Error: stat /'],
  ['pod-events', 'kubelet-log'],
  /Error: stat (?<path>\/[^\s:]{1,253}): (?<why>no such file or directory|not a directory|permission denied|stale NFS file handle)/,
);
const stale = line(
  ['/volume-subpaths/'],
  PRINTED_BY,
  /failed to (?:stat|mkdir|generate spec[^\n]{0,40}?mkdir|create new parent process)[^\n]{0,200}?\/volume-subpaths\/(?<volume>[^/\s"\\]{1,253})\/(?<container>[^/\s"\\]{1,63})\/\d{1,4}[\\"'`:]{0,6}[^\n]{0,120}?(?<why>no such file or directory|file exists|not a directory)/,
);
const cleanup = line(
  ['error cleaning subPath mounts', 'error cleaning subpath mount', 'clean up subpath mounts'],
  ['kubelet-log'],
  /(?:error cleaning subPath mounts|error cleaning subpath mount|clean up subpath mounts)[^\n]{0,400}?(?<why>device or resource busy|not a directory|directory not empty|no such file or directory)?/i,
);
const inner = line(
  ['Failed to prepare subPath'],
  ['kubelet-log'],
  /Failed to prepare subPath[^\n]{0,40}?of the container(?: [^\n]{0,120}?volumeMountName=(?<mount>[^\s:]{1,253}))?[^\n]{0,100}?: (?<error>[^\n]{1,300})/,
);
const earlier = line(['MountVolume.SetUp failed', 'MountVolume.MountDevice failed'], []);

function fieldOf(
  name: string,
  ...seen: readonly ({ readonly fields: Readonly<Record<string, string>> } | undefined)[]
): string | undefined {
  return seen.map((one) => one?.fields[name]).find((value) => value !== undefined);
}

export const cause = defineCause({
  id: 'subpath-failure',
  area: 'config',
  at: 'Workload',
  maturity: 'stable',
  explains: ['config-error', 'create-error', 'crash-loop', 'creating', 'init-crash', 'stuck-terminating', 'not-ready', 'other-trouble'],

  text: {
    name: 'subPath cannot be mounted',
    title: '{what} {volume} cannot be mounted into {container}{at}: {reason}',
    why: '{use} The runtime binds it into the container, and that mount fails. {mechanism}',
  },

  clues: {
    prepare: proves(prepare),
    mountFails: proves(mountFails),
    ontoFile: proves(ontoFile),
    stale: proves(stale),
    statFails: supports(statFails, ({ channel }) => channel === 'pod-events' || channel === 'kubelet-log'),
    cleanup: supports(cleanup),
    inner: supports(inner),
    earlier: excludes(earlier),
    well: excludes('pod.status', isWell),
  },
  says: {
    prepare: 'the kubelet cannot prepare the subPath of volume {volume}',
    mountFails: 'the runtime cannot mount the subPath{at}: {reason}',
    ontoFile: 'a directory is mounted onto a file (or the reverse){at}',
    statFails: 'the kubelet does not find the path of the volume: {reason}',
    stale: 'the prepared subPath is not usable any more: {reason}',
    cleanup: 'the kubelet cannot clean up subPath mounts: {reason}',
    inner: 'the kubelet log says: {error}',
    earlier: 'the volume itself cannot be mounted yet',
    well: 'the pod runs and is ready',
  },
  slots: (place, { prepare: prepared, mountFails: mount, ontoFile: whole, stale: gone, statFails: stat, cleanup: cleaned, inner: log }) => {
    const names = namesOf(place);
    const target = (mount ?? whole)?.fields['target']?.replace(/^\/\S{0,200}\/(?:merged|rootfs)(?=\/)/, '');
    const error = log?.fields['error']?.replaceAll('\\', '').slice(0, 200);
    const why = fieldOf('why', mount, whole, gone, stat, cleaned);
    const rule = prepared?.fields['rule']?.trim().replaceAll('\\', '');
    const reason = why ?? rule ?? error ?? 'the kubelet cannot prepare it';
    const isKind = /not a directory|is a directory|file exists/.test(reason);
    return {
      ...names,
      volume:
        fieldOf('mount', prepared, log) ??
        fieldOf('volume', mount, gone) ??
        whole?.fields['source']?.split('/').at(-1) ??
        fieldOf('path', prepared, stat) ??
        'of the pod',
      container: fieldOf('container', prepared, mount, gone) ?? names.container,
      at: target ? ` at ${target}` : '',
      target: target ?? 'the mount path',
      reason,
      what: whole && !mount ? 'Volume' : 'subPath of volume',
      use:
        whole && !mount
          ? `A volumeMount puts ${whole.fields['source']} onto a path of the image${target ? ` (${target})` : ''} without subPath.`
          : `A volumeMount uses subPath on a volume of the pod${target ? ` at ${target}` : ''}.`,
      error: error ?? 'not shown',
      mechanism: isKind
        ? 'One side is a file and the other a directory: the path in the volume does not have the kind that the mount path has in the image. A key that the ConfigMap or Secret does not have becomes an empty directory, and a directory cannot be mounted over a file.'
        : /no such file/.test(reason)
          ? 'The prepared bind mount points to something that is not there any more: the ConfigMap or Secret was changed after the pod started (a subPath is never updated), and the container restarted in place. A new pod gets a new mount.'
          : 'The path has to exist in the volume or be made there by the kubelet as root, must be relative and stay inside the volume; a read-only or root-squashed volume, a file in its place or a symbolic link that leads out of the volume makes it fail.',
    };
  },

  fixes: [
    {
      say: 'See what the subPath is, in the volume and in the image',
      risk: 'reads-only',
      steps: [
        {
          say: 'mountPath, subPath and volume',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE -B2 -A3 'subPath|configMap:|secretName:'",
          on: 'cluster',
        },
        { say: 'the key must be called exactly as the subPath', run: 'kubectl -n {{namespace}} describe configmap', on: 'cluster' },
        {
          say: 'the error behind it',
          run: "journalctl -u kubelet --no-pager | grep -iE 'subpath' | tail -20",
          on: 'node',
        },
      ],
    },
    {
      say: 'Make a new pod: the bind mount of the old one may be stale',
      risk: 'restarts-pods',
      for: ['stale', 'cleanup'],
      steps: [{ say: 'delete it or restart the rollout', run: 'kubectl -n {{namespace}} rollout restart {{target}}', on: 'cluster' }],
      changes: [{ do: 'restart-pods' }],
      verified: 'the container is started',
    },
    {
      say: 'Correct subPath and mountPath: a file onto a file ({target}), a directory onto a directory',
      risk: 'restarts-pods',
      for: ['ontoFile'],
      steps: [
        {
          say: 'mountPath ends with the file name and subPath is the key; or mount the whole directory without subPath',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
        { say: 'on NFS with root_squash create the directory on the server first; the kubelet makes it as root' },
      ],
      verified: 'the container is started and sees the file',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/kubelet/kubelet_pods.go (makeMounts), pkg/volume/util/subpath/subpath_linux.go',
    'opencontainers/runc libcontainer/rootfs_linux.go',
    'kubernetes issues 61076, 68211',
  ],
});
