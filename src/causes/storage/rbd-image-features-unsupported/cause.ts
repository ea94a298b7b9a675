import { defineCause, excludes, line, minutes, NAMED_VOLUME, proves, withContext } from '../../define-cause.ts';

const mismatch = line(
  ['image feature set mismatch', 'does not support required features'],
  ['pod-events', 'kubelet-log', 'container-log'],
  withContext(/RBD image feature set mismatch|kernel (?<kernel>\d[\w.-]{2,60}) does not support required features/, {
    may: [NAMED_VOLUME, /rbd feature disable (?<image>[\w./-]{3,250}) (?<features>[a-z, -]{4,120}[a-z])/],
  }),
);
const kernelSays = line('image uses unsupported features', 'kernel-log', /image uses unsupported features: (?<bits>0x[\da-f]{1,16})/);
const noModule = line('failed to load rbd kernel module', []);

export const cause = defineCause({
  id: 'rbd-image-features-unsupported',
  area: 'storage',
  at: 'Workload',
  maturity: 'stable',
  explains: ['creating', 'init-stuck', 'other-trouble'],

  text: {
    name: 'RBD features too new',
    title: 'The RBD image {image} has features the kernel of the node does not support{features}',
    why: 'The image was created with features (object-map, fast-diff, deep-flatten, journaling …) that the rbd module of this kernel does not know, so "rbd map" stops with "feature set mismatch" (sysfs write failed). The module is loaded and Ceph answers; the image and the kernel do not fit. Without imageFeatures in the StorageClass, images get all defaults of the Ceph cluster.',
  },

  clues: {
    mismatch: proves(mismatch),
    kernelSays: proves(kernelSays),
    noModule: excludes(noModule),
  },
  says: {
    mismatch: 'the kernel refuses the image: feature set mismatch',
    kernelSays: 'the kernel does not know features of the image: {bits}',
    noModule: 'there is no rbd module at all',
  },
  slots: (_place, { mismatch: said, kernelSays: kernel }) => ({
    bits: kernel?.fields['bits'] ?? '?',
    image: said?.fields['image'] ?? (said?.fields['volume'] ? `of volume ${said.fields['volume']}` : 'of the volume'),
    name: said?.fields['image'] ?? 'POOL/IMAGE',
    features: said?.fields['features'] ? ` (${said.fields['features'].trim()})` : '',
    list: said?.fields['features']?.trim() ?? 'object-map fast-diff deep-flatten',
  }),

  fixes: [
    {
      say: 'See the features of the image and the kernel of the node',
      risk: 'reads-only',
      steps: [{ say: 'both', run: 'rbd info {{name}} | grep features; uname -r; dmesg | grep rbd | tail', on: 'node' }],
    },
    {
      say: 'Disable the unsupported features of the image',
      risk: 'touches-node',
      steps: [{ say: 'while nobody has it mapped; the message names the list', run: 'rbd feature disable {{name}} {{list}}', on: 'node' }],
      verified: 'the kubelet maps and mounts it at its next try',
    },
    {
      say: 'For new volumes: imageFeatures: layering in the StorageClass, or mounter: rbd-nbd, or a newer kernel on the nodes',
      risk: 'reads-only',
      steps: [
        {
          say: 'a class cannot be edited: make it anew',
          run: 'kubectl get storageclass -o yaml | grep -n -iE "imageFeatures|mounter|name:"',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['ceph src/tools/rbd/action/Kernel.cc', 'linux drivers/block/rbd.c', 'ceph-csi issue 1217'],
});
