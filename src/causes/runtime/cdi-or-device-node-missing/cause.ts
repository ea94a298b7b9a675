import { defineCause, excludes, line, minutes, notByContainers, proves, supports } from '../../define-cause.ts';

const ASKED = ['pod-events', 'pod-spec', 'kubelet-log', 'containerd-log', 'docker-log', 'crio-log'] as const;
const unresolved = line(
  [
    'unresolvable CDI devices',
    'CDI device injection failed',
    'failed to inject CDI devices',
    'failed to stat CDI host device',
    'CDI support is disabled',
    'CDI is disabled',
  ],
  ASKED,
  /unresolvable CDI devices (?<devices>[^\s,:"\\]{3,160}(?:, [\w.-]{1,80}\/[^\s,:"\\]{1,80}){0,15})|failed to stat CDI host device \\*"(?<host>\/[^"\\]{1,160})|(?<disabled>CDI (?:support )?is (?:explicitly )?disabled)|(?:CDI device injection failed|failed to inject CDI devices): (?<error>[^\n"]{3,160})/,
);
const noNode = line(
  ['error gathering device information', 'error setting devices', 'not a device node', 'lstat /dev/', 'stat /dev/', 'adding custom device'],
  ASKED,
  /adding custom device \\*"(?<path>\/dev\/[^"\\]{1,160})\\*": (?<error>no such file or directory|not a device node|permission denied|operation not permitted)|(?:failed to (?:generate|create)|CreateContainer|creating|error setting devices|Error)[^\n]{0,300}?\bl?stat (?<stat>\/dev\/[^\s:"\\]{1,160}): no such file or directory|(?<other>\/dev\/[^\s:"\\]{1,160}): not a device node/,
);
const specFiles = line(
  ['failed to refresh CDI', 'CDI Spec', 'CDI registry', 'conflicting device'],
  ['containerd-log', 'crio-log'],
  /failed to (?:refresh|parse|load)[^\n]{0,40}CDI[^\n]{0,200}|conflicting device/i,
);
const hostPath = line(
  ['hostPath type check failed', 'is not a character device', 'is not a block device'],
  [],
  /hostPath type check failed/,
);
const dra = line(['prepare dynamic resources', 'NodePrepareResource'], [], /prepare dynamic resources|NodePrepareResources? failed/);

/** Devices that the kernel makes once a module is loaded. */
const MODULE_OF: Readonly<Record<string, string>> = {
  '/dev/fuse': 'fuse',
  '/dev/net/tun': 'tun',
  '/dev/vhost-net': 'vhost_net',
  '/dev/ppp': 'ppp_generic',
  '/dev/loop-control': 'loop',
};

export const cause = defineCause({
  id: 'cdi-or-device-node-missing',
  area: 'runtime',
  at: 'Node',
  maturity: 'stable',
  explains: ['create-error', 'config-error', 'creating', 'crash-loop', 'init-crash', 'failed', 'init-stuck', 'other-trouble'],
  effectOf: ['nvidia-runtime-missing', 'kernel-too-old-or-module-missing', 'device-plugin-unregistered'],

  text: {
    name: 'Device missing on the node',
    title: 'The runtime on {node} cannot give the container its device {device}: {what}',
    why: 'A device plugin, DRA driver or the pod itself asks for {device}. The runtime looks it up on the node when it creates the container ({how}), and there it fails: {what}. The driver is not loaded, the device went away, or the CDI specification was not (re)generated after a change of driver.',
  },

  clues: {
    unresolved: proves(unresolved, notByContainers),
    noNode: proves(noNode, notByContainers),
    specFiles: supports(specFiles),
    hostPath: excludes(hostPath),
    dra: excludes(dra),
  },
  says: {
    unresolved: 'the runtime cannot resolve or inject {device}: {what}',
    noNode: 'the device file is not usable: {device} ({what})',
    specFiles: 'the runtime has trouble with the CDI specifications',
    hostPath: 'a hostPath volume names the device; the kubelet checks that',
    dra: 'the DRA driver fails before, while it prepares the claim',
  },
  slots: (place, { unresolved: cdi, noNode: node }) => {
    const fields = { ...cdi?.fields, ...node?.fields };
    return {
      node: place.name,
      device: fields['devices'] ?? fields['host'] ?? fields['path'] ?? fields['stat'] ?? fields['other'] ?? 'it was promised',
      what: fields['disabled']
        ? 'CDI is disabled in the runtime'
        : fields['devices']
          ? 'no CDI specification defines it'
          : fields['other']
            ? 'not a device node'
            : cdi && !fields['host']
              ? (cdi.fields['error']?.trim() ?? 'it cannot be injected')
              : (node?.fields['error'] ?? 'no such file or directory'),
      module: (cdi ? undefined : MODULE_OF[fields['path'] ?? fields['stat'] ?? '']) ?? '',
      how: cdi ? 'CDI specifications in /etc/cdi and /var/run/cdi' : 'the device file below /dev',
    };
  },

  fixes: [
    {
      say: 'See whether the device and its CDI specification are on {node}',
      risk: 'reads-only',
      steps: [
        {
          say: 'specifications and the devices they define',
          run: 'ls -l /etc/cdi /var/run/cdi; nvidia-ctk cdi list 2>/dev/null; grep -hE "kind|name" /etc/cdi/* /var/run/cdi/* 2>/dev/null',
          on: 'node',
        },
        {
          say: 'device files and modules',
          run: 'ls -l /dev/nvidia* /dev/dri /dev/fuse /dev/kvm /dev/net/tun 2>/dev/null; lsmod | head -40',
          on: 'node',
        },
        {
          say: 'CDI must be enabled (containerd 1.7: enable_cdi = true)',
          run: "containerd config dump | grep -nE 'enable_cdi|cdi_spec_dirs'",
          on: 'node',
        },
      ],
    },
    {
      say: 'Load the driver and generate the CDI specification again',
      risk: 'touches-node',
      steps: [
        {
          say: 'NVIDIA: device files, then the specification',
          run: 'nvidia-smi && nvidia-modprobe -u -m && nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml',
          on: 'node',
        },
        {
          say: 'other devices: load the module (fuse, kvm, tun …), now and at boot',
          run: 'modprobe MODULE && echo MODULE > /etc/modules-load.d/MODULE.conf',
          on: 'node',
        },
        { say: 'enable CDI where it is off, then restart the runtime', run: 'systemctl restart containerd', on: 'node' },
      ],
      changes: [{ do: 'module', name: '{{module}}' }],
      verified: 'the container with {device} is created',
    },
    {
      say: 'Restart the device plugin or DRA driver so that it writes its specification anew',
      risk: 'restarts-pods',
      steps: [{ say: 'its pod on this node', run: 'kubectl -n NAMESPACE delete pod DEVICE_PLUGIN_POD', on: 'cluster' }],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'cncf-tags/container-device-interface pkg/cdi',
    'containerd pkg/cdi, internal/cri/server/container_create_linux.go',
    'moby daemon/oci_linux.go',
    'cri-o internal/config/device',
    'moby issue 47633; nvidia-container-toolkit issue 434',
  ],
});
