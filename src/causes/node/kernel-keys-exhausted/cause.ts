import { defineCause, excludes, line, minutes, proves } from '../../define-cause.ts';

const noKey = line(
  ['unable to create session key', 'unable to join session keyring', 'create session key'],
  ['pod-events', 'pod-status', 'kubelet-log', 'containerd-log', 'docker-log', 'crio-log', 'container-log'],
  /(?:unable to create session key|could not (?:create|join) session key(?:ring)?|unable to join session keyring): [^\n]{0,60}?disk quota exceeded/,
);

export const cause = defineCause({
  id: 'kernel-keys-exhausted',
  area: 'node',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['creating', 'create-error', 'crash-loop', 'init-crash', 'init-stuck', 'failed', 'other-trouble'],

  text: {
    name: 'Kernel keys used up',
    title: 'The kernel keyring quota of {where} is used up: runc cannot make a session key for another container (disk quota exceeded)',
    why: 'runc gives every container a session key in the kernel. Keys are counted per user against kernel.keys.maxkeys (200) and maxbytes (20000); many containers of one user id, or keys that are not given back, use them up. "Disk quota exceeded" means this quota: no disk is full.',
  },

  clues: {
    noKey: proves(noKey),
    raised: excludes('host.sysctl', ({ key, value }) => key === 'kernel.keys.maxkeys' && Number(value) >= 20_000),
  },
  says: {
    noKey: 'the runtime cannot make a session key: the quota of keys is exceeded',
    raised: 'the quota of keys is large',
  },
  slots: (place) => ({ where: place.kind !== 'Node' || place.name.includes(' ') ? 'this node' : `node ${place.name}` }),

  fixes: [
    {
      say: 'See who holds the keys',
      risk: 'reads-only',
      steps: [
        {
          say: 'per user: keys and bytes, used and allowed',
          run: 'cat /proc/key-users; sysctl kernel.keys.maxkeys kernel.keys.maxbytes',
          on: 'node',
        },
      ],
    },
    {
      say: 'Raise the quota of kernel keys',
      risk: 'touches-node',
      steps: [
        {
          say: 'now and for good',
          run: "printf 'kernel.keys.maxkeys = 20000\\nkernel.keys.maxbytes = 2000000\\nkernel.keys.root_maxkeys = 1000000\\nkernel.keys.root_maxbytes = 25000000\\n' > /etc/sysctl.d/90-keys.conf && sysctl --system",
          on: 'node',
        },
      ],
      verified: 'new containers start',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['keyrings(7), keyctl(2): EDQUOT', 'runc libcontainer/keys/keyctl.go'],
});
