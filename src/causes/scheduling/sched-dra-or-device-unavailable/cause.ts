import {
  accountsForAll,
  defineCause,
  excludes,
  leadsAmongOthers,
  line,
  minutes,
  namesOf,
  othersIn,
  proves,
  supports,
} from '../../define-cause.ts';

const cannotAllocate = line(
  ['cannot allocate all claims', 'resourceclaim in use', 'resourceclaim not available on the node', 'unallocated immediate resourceclaim'],
  ['pod-events', 'pod-status', 'control-plane-log'],
  /(?<refusal>\d{1,6}\/\d{1,6} nodes are available[^\n]{0,4000})|cannot allocate all claims|resourceclaim (?:in use|not available on the node)|unallocated immediate resourceclaim/,
);
const noClaim = line(
  ['resourceclaim', 'resourceclaimtemplate', 'ResourceClaim not'],
  ['pod-events', 'pod-status', 'object-events', 'control-plane-log'],
  /(?<kind>resourceclaimtemplates?|resourceclaims?)(?:\.resource\.k8s\.io)? \\*"(?<name>[^"\\\n]{1,253})\\*" not found|(?:waiting for|create)[^\n]{0,60}?(?:the )?resourceclaim \\*"(?<waited>[^"\\\n]{1,253})|(?<none>ResourceClaim not (?:found|created))/i,
);
const noClass = line(
  ['device class', 'deviceclass.resource.k8s.io', 'resourceclass.resource.k8s.io'],
  ['pod-events', 'pod-status', 'control-plane-log'],
  /device class (?<name>[\w./-]{1,253}?)(?: does not exist|: )|(?:deviceclass|resourceclass)(?:es)?\.resource\.k8s\.io \\*"(?<object>[^"\\\n]{1,253})\\*" not found/i,
);
const prepareFails = line(
  ['prepare dynamic resources', 'NodePrepareResource', 'DRA plugin', 'DRA driver', 'not allowed to use resource claim'],
  ['pod-events', 'kubelet-log'],
  /(?:prepare dynamic resources|NodePrepareResources? (?:failed|rpc failed|skipped))[^\n]{0,40}?: (?<error>[^\n]{1,300})|(?:DRA (?:plugin|driver)|plugin name) (?<driver>[\w./-]{1,253}) (?:is not registered|not found in the list of registered DRA plugins)|(?<use>not allowed to use resource claim [^\n]{1,100})/,
);
const shortOfDevice = line(
  ['Insufficient '],
  ['pod-events', 'pod-status', 'control-plane-log'],
  /Insufficient (?<device>[a-z0-9.-]{3,100}\.[a-z]{2,20}\/[\w.-]{0,62}\w)/,
);
const noneOffered = line(
  ['.com/gpu', 'nvidia.com/', 'amd.com/gpu', 'gpu.intel.com', 'devices.kubevirt.io'],
  ['node-status'],
  /(?<device>(?:nvidia\.com|amd\.com|gpu\.intel\.com|habana\.ai|aws\.amazon\.com|google\.com|huawei\.com)\/[\w.-]{1,63})"?: {1,40}"?0"?(?:\s|$|,)/,
);
const OWN = /cannot allocate all claims|resourceclaim/;

export const cause = defineCause({
  id: 'sched-dra-or-device-unavailable',
  area: 'scheduling',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['pending', 'creating', 'init-stuck', 'not-ready', 'other-trouble'],
  effectOf: ['device-plugin-unregistered', 'nvidia-runtime-missing'],

  text: {
    name: 'Device or ResourceClaim unavailable',
    title: 'Device or ResourceClaim unavailable: {what}',
    why: 'The pod asks for a device (a GPU, a network function), and no node can give it one. {mechanism}',
  },

  clues: {
    sole: proves('pod.unschedulable', accountsForAll(OWN)),
    cannotAllocate: supports(cannotAllocate),
    beside: supports('pod.unschedulable', leadsAmongOthers(OWN)),
    noClaim: proves(noClaim),
    noClass: proves(noClass),
    prepareFails: proves(prepareFails),
    shortOfDevice: supports(shortOfDevice),
    noneOffered: supports(noneOffered),
    runs: excludes('pod.status', ({ status, readyContainers, containers }) => status === 'Running' && readyContainers === containers),
  },
  says: {
    sole: 'this reason alone keeps it from all nodes',
    cannotAllocate: 'the scheduler cannot allocate the ResourceClaims of the pod',
    beside: 'nodes are out for other reasons too: {others}',
    noClaim: 'the ResourceClaim {name} is not there',
    noClass: 'the device class {className} does not exist',
    prepareFails: 'the kubelet cannot prepare its devices: {error}',
    shortOfDevice: 'nodes have no free {device}',
    noneOffered: 'a node offers 0 of {device}',
    runs: 'the pod runs and is ready',
  },
  slots: (place, { beside, noClaim: claim, noClass: deviceClass, prepareFails: prepare, shortOfDevice: short, noneOffered: none }) => {
    const name = claim?.fields['name'] ?? claim?.fields['waited'] ?? 'of the pod';
    const className = deviceClass?.fields['name'] ?? deviceClass?.fields['object'] ?? 'it names';
    const driver = prepare?.fields['driver'];
    const error = driver ? `DRA driver ${driver} is not registered` : (prepare?.fields['error'] ?? prepare?.fields['use'])?.slice(0, 200);
    const device = short?.fields['device'] ?? none?.fields['device'] ?? 'the device';
    const { what, mechanism } = prepare
      ? {
          what: `the kubelet cannot prepare the devices of ${place.name}: ${error}`,
          mechanism:
            'The claim was allocated, but on the node the DRA driver has to set the devices up before a container starts, and that fails: its kubelet plugin does not run or is not registered there, or it reports an error of the device.',
        }
      : deviceClass
        ? {
            what: `DeviceClass ${className} does not exist, so the ResourceClaim of ${place.name} cannot be allocated`,
            mechanism:
              'A claim asks for devices of a class; the class is an object of the cluster that the DRA driver installs, and it is not there.',
          }
        : claim
          ? {
              what: `ResourceClaim ${name} of ${place.name} is not there`,
              mechanism:
                'The pod refers to a ResourceClaim or template that does not exist, or the controller that makes claims from templates has not made it (it runs in the controller manager).',
            }
          : short || none
            ? {
                what: `no node can give ${device} to ${place.name}`,
                mechanism:
                  'Devices are counted by the device plugin of each node. Either all of them are taken, or no node offers any: then the plugin or the driver does not run there, and the allocatable count is 0 or missing.',
              }
            : {
                what: `the devices that ${place.name} claims cannot be allocated (cannot allocate all claims)`,
                mechanism:
                  'The scheduler looks in the ResourceSlices that the DRA drivers publish for free devices that fit the claim, and finds none on any node: they are taken, no driver publishes them, or the selector of the claim fits no device.',
              };
    return {
      ...namesOf(place),
      others: othersIn(beside, OWN),
      what,
      mechanism,
      name,
      className,
      error: error ?? 'see its message',
      device,
    };
  },

  fixes: [
    {
      say: 'See what is claimed, what is offered, and whether the driver runs',
      risk: 'reads-only',
      steps: [
        {
          say: 'claims, classes and what the drivers publish',
          run: 'kubectl -n {{namespace}} get resourceclaims,resourceclaimtemplates; kubectl get deviceclasses,resourceslices',
          on: 'cluster',
        },
        {
          say: 'devices of device plugins, node by node',
          run: "kubectl get nodes -o json | jq -r '.items[] | [.metadata.name, (.status.allocatable | tostring)] | @tsv'",
          on: 'cluster',
        },
        { say: 'driver and device plugin pods', run: "kubectl get pods -A -o wide | grep -iE 'dra|device-plugin|gpu'", on: 'cluster' },
      ],
    },
    {
      say: 'Bring up the driver: its DaemonSet (device plugin or DRA kubelet plugin) must run on the nodes that have the device',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'why it does not run there: node labels, taints, driver of the host',
          run: 'kubectl get daemonsets -A | grep -iE "dra|device-plugin|gpu"',
          on: 'cluster',
        },
        { say: 'on the node: does the driver see the device', run: 'nvidia-smi || lspci | grep -iE "nvidia|amd|habana"', on: 'node' },
      ],
      verified: 'the nodes offer the device, and the pod is scheduled',
    },
    {
      say: 'Correct the claim: name, device class and selector; free devices that are held by pods which do not need them',
      risk: 'restarts-pods',
      for: ['noClaim', 'noClass'],
      steps: [
        {
          say: 'resourceClaims and resources.claims (or limits) of the pod',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      verified: 'the pod has the event Scheduled',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: [
    'kubernetes pkg/scheduler/framework/plugins/dynamicresources/dynamicresources.go',
    'kubernetes pkg/kubelet/cm/dra/manager.go, staging dynamic-resource-allocation/structured',
  ],
});
