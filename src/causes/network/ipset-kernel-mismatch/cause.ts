import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const CHANNELS = ['container-log', 'host-tools', 'system-log', 'prose'] as const;

/** Sets of one revision, made by one ipset, are listed by another that does not know it. */
const incompatible = line(
  ['Kernel and userspace incompatible', 'not supported by userspace'],
  CHANNELS,
  /(?:ipset (?<version>v[\d.]{1,8}): )?Kernel and userspace incompatible: (?:settype (?<type>[\w:,]{3,40}) with revision (?<revision>\d{1,3}) not supported by (?<by>userspace|kernel)|[^\n"\\]{3,120})/,
);
const invalid = line(
  ['Kernel error received: ', 'Kernel support protocol versions'],
  CHANNELS,
  /ipset (?<version>v[\d.]{1,8}): (?:Kernel error received: (?<error>[A-Z][\w ]{4,60})|(?<protocol>Kernel support protocol versions[^\n]{0,100}))/,
);
const busy = line(['Set cannot be destroyed', 'set with the same name already exists'], []);

export const cause = defineCause({
  id: 'ipset-kernel-mismatch',
  area: 'network',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'not-ready', 'other-trouble'],
  effectOf: ['kernel-too-old-or-module-missing'],

  text: {
    name: 'ipset and kernel do not fit',
    title: 'ipset{version} and the ip sets in the kernel of {node} do not fit: {what}',
    why: 'calico, kube-proxy in IPVS mode, cilium and kube-router keep addresses in ip sets of the kernel, and read them back with the ipset tool in their own image. {what}. They then cannot list or make sets, so policies and Services of {node} are not programmed.',
  },

  clues: {
    incompatible: proves(incompatible),
    invalid: supports(invalid),
    busy: excludes(busy),
  },
  says: {
    incompatible: 'ipset does not understand the sets of the kernel{set}',
    invalid: 'the kernel refuses what ipset asks: {error}',
    busy: 'a set is in use or already there; versions are not at fault',
  },
  slots: (place, { incompatible: misfit, invalid: refused }) => {
    const version = misfit?.fields['version'] ?? refused?.fields['version'];
    const type = misfit?.fields['type'];
    return {
      node: place.kind === 'Node' && !place.name.includes(' ') ? place.name : 'this node',
      version: version ? ` ${version}` : '',
      set: type ? ` (${type}, revision ${misfit?.fields['revision']})` : '',
      error: refused?.fields['error'] ?? refused?.fields['protocol'] ?? 'invalid',
      what: misfit
        ? `the kernel holds a set${type ? ` of type ${type} in revision ${misfit.fields['revision']}` : ''} that this ipset is too old to read; a newer ipset on the host (firewalld, a script, another add-on) or a newer kernel made it`
        : 'the kernel refuses the request: module ip_set or the type of set is missing, or tool and kernel are of different versions',
    };
  },

  fixes: [
    {
      say: 'See who has made sets, and with which version',
      risk: 'reads-only',
      steps: [
        {
          say: 'version of the tool on the host, names and revisions of all sets',
          run: 'ipset --version; ipset list -t | grep -E "Name|Type|Revision"; uname -r; lsmod | grep ip_set',
          on: 'node',
        },
      ],
    },
    {
      say: 'Update the network add-on to a version whose ipset knows the revision',
      risk: 'restarts-pods',
      steps: [
        { say: 'images in use', run: 'kubectl -n kube-system get daemonset -o wide', on: 'cluster' },
        {
          say: 'calico, for example',
          run: 'kubectl -n kube-system set image daemonset/calico-node calico-node=docker.io/calico/node:VERSION',
          on: 'cluster',
        },
      ],
      verified: 'its log no longer says "Kernel and userspace incompatible"',
    },
    {
      say: 'Or remove the foreign sets from {node}: the program that made them, then a reboot',
      risk: 'touches-node',
      steps: [
        {
          say: 'sets of add-ons are made anew at their start; a reboot clears all others',
          run: 'ipset list -n; systemctl disable --now firewalld; reboot',
          on: 'node',
        },
      ],
      verified: 'ipset list works inside the pod of the add-on',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['ipset lib/session.c (IPSET_ERR_PROTOCOL, revisions)', 'projectcalico/calico felix/ipsets'],
});
