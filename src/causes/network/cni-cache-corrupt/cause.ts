import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const CHANNELS = ['pod-events', 'kubelet-log', 'containerd-log', 'crio-log'] as const;

const unreadable = line(
  ['cached result: ', 'unmarshal cached', 'decoding version from network config', 'failed to load cached'],
  CHANNELS,
  /(?:(?:failed to get|get) network [\\"“”]{0,8}(?<network>[\w.-]{1,80})[\\"“”]{0,8} cached result: (?<error>[^\n]{0,160}?(?:unexpected end of JSON input|invalid character|decoding|unmarshal)[^\n"\\]{0,80})|failed to unmarshal cached (?:network )?[^\n]{0,120}|decoding version from network config: (?:unexpected end of JSON input|invalid character[^\n"\\]{0,80}))/,
);
const emptyFile = line(
  ['/var/lib/cni/'],
  ['host-tools', 'host-state'],
  /(?<file>\/var\/lib\/cni\/(?:cache\/results|cache|results)\/[\w.-]{5,200})/,
);
const plugin = line(
  ['failed (delete): ', 'failed (add): '],
  ['pod-events', 'kubelet-log'],
  /plugin type=[\\"“”]{1,8}[\w.-]{1,80}[\\"“”]{1,8}(?: name=\S{1,100})? failed \((?:delete|add)\): (?![^\n]{0,200}cached result)/,
);

export const cause = defineCause({
  id: 'cni-cache-corrupt',
  area: 'network',
  at: 'Node',
  maturity: 'stable',
  explains: ['stuck-terminating', 'creating', 'init-stuck', 'other-trouble'],
  effectOf: ['node-rebooted', 'disk-full-root', 'disk-io-error', 'evicted-disk-pressure'],

  text: {
    name: 'CNI cache file is damaged',
    title: 'A cached CNI result of network {network} on {node} is empty or damaged',
    why: 'When a sandbox is set up, libcni writes what the plugin answered to /var/lib/cni/cache/results, and it reads that file again to tear the sandbox down. On {node} such a file is empty or cut off, as after a power loss or with a full disk ({error}). So the old sandbox can never be removed, the kubelet tries again for ever, and the pod does not go or does not come back.',
  },

  clues: {
    unreadable: proves(unreadable),
    emptyFile: supports(emptyFile),
    plugin: excludes(plugin),
  },
  says: {
    unreadable: 'the cached result of network {network} cannot be decoded: {error}',
    emptyFile: 'files of the cache were listed: {file}',
    plugin: 'the cache is read; the plugin itself fails',
  },
  slots: (place, { unreadable: said, emptyFile: found }) => ({
    node: place.name,
    network: said?.fields['network'] ?? 'of the pod network',
    error: said?.fields['error'] ?? 'unexpected end of JSON input',
    file: found?.fields['file'] ?? '/var/lib/cni/cache/results',
  }),

  fixes: [
    {
      say: 'Find the empty files',
      risk: 'reads-only',
      steps: [
        { say: 'files without content', run: 'find /var/lib/cni -type f -size 0 -ls', on: 'node' },
        { say: 'whether the disk is full', run: 'df -h /var/lib; df -i /var/lib', on: 'node' },
      ],
    },
    {
      say: 'Remove the damaged cache files of sandboxes that are gone; the kubelet tries again by itself',
      risk: 'touches-node',
      steps: [
        {
          say: 'only empty ones',
          run: 'find /var/lib/cni/cache/results /var/lib/cni/results -type f -size 0 -delete 2>/dev/null',
          on: 'node',
        },
        {
          say: 'cut-off ones: the name holds network, sandbox id and interface',
          run: 'grep -LE "\\}\\s*$" /var/lib/cni/cache/results/* 2>/dev/null',
          on: 'node',
        },
        { say: 'what is left of the sandboxes', run: 'crictl pods --state NotReady', on: 'node' },
      ],
      verified: 'the kubelet stops repeating the error and the pod goes',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['containernetworking/cni libcni/api.go (getCachedResult)', 'containernetworking/cni pkg/version/conf.go'],
});
