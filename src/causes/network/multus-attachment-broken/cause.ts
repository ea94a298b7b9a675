import { defineCause, excludes, line, minutes, proves } from '../../define-cause.ts';

const CHANNELS = ['pod-events', 'kubelet-log', 'containerd-log', 'crio-log'] as const;

const noDefinition = line(
  [
    'network-attachment-definition',
    'NetworkAttachmentDefinition',
    'network-attachment-definitions.k8s.cni.cncf.io',
    'error loading k8s delegates',
  ],
  CHANNELS,
  /(?:cannot find (?:a )?network-attachment-definition \((?<name>[\w.-]{1,253})\) in namespace \((?<namespace>[\w.-]{1,63})\)|network-attachment-definitions?(?:\.k8s\.cni\.cncf\.io)? [\\"“”]{1,8}(?<missing>[\w./-]{1,253})[\\"“”]{1,8} not found|(?<crd>the server could not find the requested resource \(get network-attachment-definitions)|error loading k8s delegates k8s args: (?<error>[^\n"\\]{3,240}))/,
);
const noMaster = line(
  ['Link not found', 'failed to lookup master', 'failed to find host device', 'no such network interface'],
  CHANNELS,
  /(?:plugin type=[\\"“”]{1,8}(?<plugin>macvlan|ipvlan|vlan|host-device|bridge|sriov|ib-sriov|tap)[\\"“”]{1,8}[^\n]{0,120}?|failed to lookup master |lookup of )(?:(?:failed to lookup master |failed to find host device[:" ]{0,3}|master )?[\\"“”]{0,8}(?<master>[\w.@-]{1,32})?[\\"“”]{0,8}:? )?(?:Link not found|no such network interface|failed to find host device)/,
);
const noDevice = line(
  ['VF pci addr is required', 'failed to load pci device', 'device ID is required', 'failed to get VF'],
  CHANNELS,
  /(?<error>VF pci addr is required|failed to load pci device[^\n"\\]{0,80}|(?:[\w ]{0,30}device ID is required)|failed to get VF[^\n"\\]{0,80})/,
);
/** The kernel refuses the interface: a MAC address nobody may have, a master that is in use, a mode it lacks. */
const refused = line(
  ['failed to create macvlan', 'failed to create ipvlan', 'failed to create vlan'],
  CHANNELS,
  /failed to create (?<kind>macvlan|ipvlan|vlan): (?<error>[a-z][a-z ]{3,60})/,
);
const daemon = line(
  ['Daemon not reachable over socketfile', '/multus.sock'],
  CHANNELS,
  /(?:Daemon not reachable over socketfile|multus\.sock: connect)/,
);

export const cause = defineCause({
  id: 'multus-attachment-broken',
  area: 'network',
  at: 'Workload',
  maturity: 'stable',
  explains: ['creating', 'init-stuck', 'pending', 'other-trouble'],

  text: {
    name: 'Additional network cannot be attached',
    title: 'The additional network of {workload} cannot be attached: {what}',
    why: 'The pod asks for a further network by its annotation k8s.v1.cni.cncf.io/networks. Multus looks up the NetworkAttachmentDefinition it names and calls the plugin in it on the node. {what}, so the whole sandbox fails and the pod stays in ContainerCreating.',
  },

  clues: {
    noDefinition: proves(noDefinition),
    noMaster: proves(noMaster),
    noDevice: proves(noDevice),
    refused: proves(refused),
    daemon: excludes(daemon),
  },
  says: {
    noDefinition: 'multus cannot load the network: {what}',
    noMaster: 'the plugin does not find its interface on the node: {what}',
    noDevice: 'the plugin gets no device: {what}',
    refused: 'the kernel refuses the interface: {what}',
    daemon: 'the multus daemon itself does not answer',
  },
  slots: (place, { noDefinition: none, noMaster: link, noDevice: device, refused: kernel }) => {
    const name = none?.fields['name'] ?? none?.fields['missing'];
    const inside = none?.fields['namespace'] ?? (place.namespace === '?' ? undefined : place.namespace);
    const master = link?.fields['master'];
    return {
      workload: place.name === '?' ? 'the pod' : place.name,
      namespace: inside ?? 'NAMESPACE',
      name: name?.replace(/^.*\//, '') ?? 'NAME',
      what: name
        ? `NetworkAttachmentDefinition ${name} does not exist${inside ? ` in namespace ${inside}` : ''}`
        : none?.fields['crd']
          ? 'the CustomResourceDefinition of NetworkAttachmentDefinition is not installed'
          : link
            ? `the node has no interface ${master && !/^(?:type|failed|plugin)$/.test(master) ? master : 'with the name given as master'} (${link.fields['plugin'] ?? 'plugin'}: Link not found)`
            : device
              ? `the pod got no device for it (${device.fields['error'] ?? 'SR-IOV'}): it does not request the resource of the device plugin`
              : kernel
                ? `the kernel refuses the ${kernel.fields['kind'] ?? ''} interface (${kernel.fields['error'] ?? 'an error'}): a MAC address that is not valid for one interface, a master that is in use, or a mode it does not have`
                : (none?.fields['error'] ?? 'its definition cannot be loaded'),
    };
  },

  fixes: [
    {
      say: 'Compare annotation, definition and interfaces of the node',
      risk: 'reads-only',
      steps: [
        {
          say: 'definitions there are; without a prefix they are looked for in the namespace of the pod',
          run: 'kubectl get network-attachment-definitions -A',
          on: 'cluster',
        },
        { say: 'what the pod asks for', run: "kubectl -n {{namespace}} get pod POD -o jsonpath='{.metadata.annotations}'", on: 'cluster' },
        { say: 'interfaces of the node; "master" in the definition must be one of them, on every node', run: 'ip -br link', on: 'node' },
      ],
    },
    {
      say: 'Create the definition, or correct the annotation (namespace/name)',
      risk: 'restarts-pods',
      for: ['noDefinition'],
      steps: [
        {
          say: 'the name as the annotation has it, in the same namespace',
          run: 'kubectl -n {{namespace}} get network-attachment-definitions {{name}} -o yaml',
          on: 'cluster',
        },
        { say: 'or name the other namespace: k8s.v1.cni.cncf.io/networks: NAMESPACE/{name}' },
      ],
      verified: 'the pod starts, and its annotation network-status lists both networks',
    },
    {
      say: 'Or make the interface on the nodes, name another one as master, or keep the pod to nodes that have it',
      risk: 'touches-node',
      for: ['noMaster'],
      steps: [
        { say: 'a VLAN interface', run: 'ip link add link eth0 name eth0.20 type vlan id 20 && ip link set eth0.20 up', on: 'node' },
        {
          say: 'SR-IOV: request the resource of the device plugin in resources.limits',
          run: 'kubectl describe node NODE | grep -iE "sriov|intel|mellanox"',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'k8snetworkplumbingwg/multus-cni pkg/k8sclient',
    'containernetworking/plugins plugins/main/macvlan',
    'k8snetworkplumbingwg/sriov-cni',
  ],
});
