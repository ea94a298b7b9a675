import { defineCause, excludes, line, minutes, namesOf, proves } from '../../define-cause.ts';

const CHANNELS = ['pod-events', 'kubelet-log', 'containerd-log', 'crio-log', 'docker-log'] as const;

const taken = line(
  ['Address already assigned in block', 'error getting IP from IPAM: resource already exists'],
  CHANNELS,
  /Address already assigned in block|error getting IP from IPAM: resource already exists: (?<address>[\da-fA-F.:]{3,45})/,
);
const outside = line(
  ['not in a configured pool', 'qualified ippool', 'is not in any configured pool'],
  CHANNELS,
  /(?:provided )?IP address(?: \[?(?<address>[\da-fA-F.:]{3,45})\]?)? is not in (?:a|any) configured pool|cannot find (?:a|any) qualified ippool/,
);
const full = line(
  ['No IPs available in pools', 'requested IPv4 addresses'],
  [],
  /No IPs available in pools|Assigned 0 out of \d{1,3} requested/,
);

export const cause = defineCause({
  id: 'calico-address-refused',
  area: 'network',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['creating', 'init-stuck', 'pending', 'other-trouble'],

  text: {
    name: 'Calico refuses the pod address',
    title: 'Calico does not give {workload} the address it asks for{address}: {what}',
    why: 'A pod may ask Calico for a certain IP address (annotation cni.projectcalico.org/ipAddrs, or an operator that keeps addresses). Calico gives it only when the address lies in an enabled IPPool and nobody has it in its IPAM blocks. Here {what}, so the sandbox of {workload} gets no network.',
  },

  clues: {
    taken: proves(taken),
    outside: proves(outside),
    full: excludes(full),
  },
  says: {
    taken: 'the address is already assigned to another pod, or to one long gone',
    outside: 'the address is in no IPPool that is enabled for this node',
    full: 'Calico has no address left at all',
  },
  slots: (place, { taken: held, outside: none }) => {
    const address = held?.fields['address'] ?? none?.fields['address'];
    return {
      ...namesOf(place),
      workload: place.name,
      address: address === undefined ? '' : ` (${address})`,
      ip: address ?? 'ADDRESS',
      what: none && !held ? 'it is in no configured IP pool' : 'the IP address is already assigned in its block',
    };
  },

  fixes: [
    {
      say: 'See who holds the address, and which pools there are',
      risk: 'reads-only',
      steps: [
        { say: 'the holder', run: 'calicoctl ipam show --ip={{ip}}', on: 'cluster' },
        { say: 'addresses that no pod uses any more', run: 'calicoctl ipam check --show-problem-ips', on: 'cluster' },
        {
          say: 'pools, and whether they are disabled or for other nodes',
          run: 'kubectl get ippools.crd.projectcalico.org -o yaml',
          on: 'cluster',
        },
        { say: 'pods with that address', run: 'kubectl get pods -A -o wide | grep {{ip}}', on: 'cluster' },
      ],
    },
    {
      say: 'Where no pod has the address, give it back; where one has, give this pod another',
      risk: 'restarts-pods',
      for: ['taken'],
      steps: [{ say: 'give it back', run: 'calicoctl ipam release --ip={{ip}}', on: 'cluster' }],
      verified: 'the pod gets its address and starts',
    },
    {
      say: 'Where the address is in no pool, correct the annotation of the pod, or enable the pool that holds it',
      risk: 'restarts-pods',
      for: ['outside'],
      steps: [{ say: 'the annotation', run: 'kubectl -n {{namespace}} get pods -o yaml | grep -n cni.projectcalico.org', on: 'cluster' }],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['projectcalico/calico libcalico-go/lib/ipam/ipam.go, ipam_block.go', 'projectcalico/calico cni-plugin/pkg/ipamplugin'],
});
