import { defineCause, excludes, line, minutes, notByContainers, proves, supports } from '../../define-cause.ts';

const ASKED = ['pod-status', 'pod-events', 'kubelet-log'] as const;
const noneHealthy = line(
  [
    'no healthy devices present',
    "can't allocate unregistered device",
    'requested number of devices unavailable for',
    'GetPreferredAllocation',
  ],
  ASKED,
  /no healthy devices present; cannot allocate unhealthy devices (?<resource>[^\s,"\\]{3,120})|can't allocate unregistered device (?<unregistered>[^\s,"\\]{3,120})|requested number of devices unavailable for (?<unavailable>[^\s,"\\]{3,120}?)\. Requested: ?(?<requested>\d{1,6}), Available: ?(?<available>\d{1,6})|device plugin (?<call>GetPreferredAllocation|Allocate) (?:rpc )?(?:failed|; )[^\n]{0,300}/,
);
const gpuGone = line(
  [
    'GPU is lost',
    'fallen off the bus',
    'infoROM is corrupted',
    'Unable to determine the device handle for GPU',
    'RmInitAdapter failed',
    'GPU requires reset',
    'NVRM: Xid',
  ],
  ['container-log', 'kernel-log', 'pod-status', 'kubelet-log', 'host-tools'],
  /(?<fault>GPU is lost|fallen off the bus|infoROM is corrupted at gpu (?<gpu>[\w:.]{5,30})|infoROM is corrupted|Unable to determine the device handle for GPU ?(?<handle>[\w:.]{5,30})|RmInitAdapter failed|GPU requires reset)|NVRM: Xid \([^)]{1,40}\): (?<xid>48|62|64|74|79|92|94|95|119|120|140)\b/i,
);
const pluginFails = line(
  [
    'Could not register device plugin',
    'could not load NVML library',
    'Failed to initialize NVML',
    'No devices found. Waiting indefinitely',
    'failed to dial device plugin',
  ],
  ['container-log', 'kubelet-log'],
  /Could not register device plugin: (?<error>[^\n]{3,200})|(?<library>could not load NVML library|Failed to initialize NVML(?!: (?:Unknown Error|ERROR_UNKNOWN))[^\n]{0,80})|(?<empty>No devices found\. Waiting indefinitely)|failed to dial device plugin/i,
);
/** A plugin that cuts memory into units offers one device for each. */
const tooMany = line(
  'message larger than max',
  'kubelet-log',
  /(?:device plugin (?<resource>[\w.-]{1,100}\/[\w.-]{1,63})|listAndWatch(?![^\n]{0,120}device plugin ))[^\n]{0,300}?message larger than max \((?<size>\d{5,12}) vs\. (?<max>\d{5,12})\)/i,
);
const driverMissing = line(
  ['nvidia-container-cli: initialization error', 'driver not loaded', 'did you configure the NVIDIA Container Toolkit'],
  [],
  /nvidia-container-cli: initialization error|nvml error: driver not loaded|did you configure the NVIDIA Container Toolkit/,
);

export const cause = defineCause({
  id: 'device-plugin-unregistered',
  area: 'runtime',
  at: 'Node',
  maturity: 'stable',
  explains: ['failed', 'pending', 'crash-loop', 'init-crash', 'not-ready', 'creating', 'init-stuck', 'other-trouble'],
  effectOf: ['node-rebooted', 'nvidia-runtime-missing'],

  text: {
    name: 'Devices of a plugin are gone',
    title: 'No healthy {resource} device on {node}: {what}',
    why: 'Devices such as GPUs are offered by a device plugin, a pod that registers with the kubelet of the node. {mechanism}',
  },

  clues: {
    noneHealthy: proves(noneHealthy, notByContainers),
    gpuGone: proves(gpuGone),
    tooMany: proves(tooMany, notByContainers),
    pluginFails: supports(pluginFails),
    rejected: supports('pod.status', ({ status }) => status === 'UnexpectedAdmissionError'),
    restarted: supports('node.event', ({ reason }) => reason === 'Starting' || reason === 'Rebooted'),
    driverMissing: excludes(driverMissing),
  },
  says: {
    noneHealthy: 'the kubelet has no usable device: {said}',
    gpuGone: 'the GPU itself is at fault: {fault}',
    tooMany: 'the list of devices does not fit a message: {list}',
    pluginFails: 'the device plugin is not registered or finds no devices',
    rejected: 'the pod was rejected with UnexpectedAdmissionError',
    restarted: 'kubelet or node were restarted, and plugins must register anew',
    driverMissing: 'driver or container toolkit of the node is missing',
  },
  slots: (place, { noneHealthy: none, gpuGone: gpu, pluginFails: plugin, tooMany: many }) => {
    const fields = none?.fields ?? {};
    const resource =
      fields['resource'] ?? fields['unregistered'] ?? fields['unavailable'] ?? many?.fields['resource'] ?? (gpu ? 'GPU' : 'requested');
    const list = `${many?.fields['size'] ?? 'more'} of ${many?.fields['max'] ?? 'the allowed'} bytes`;
    const address = gpu?.fields['gpu'] ?? gpu?.fields['handle'];
    const fault = gpu?.fields['fault'] ?? (gpu?.fields['xid'] ? `Xid ${gpu.fields['xid']}` : 'a GPU error');
    const said =
      many && !none
        ? `its plugin announces more devices than fit into one message (${list})`
        : fields['resource']
          ? 'all devices are unhealthy'
          : fields['unregistered']
            ? 'its device plugin is not registered'
            : fields['unavailable']
              ? `requested ${fields['requested'] ?? '1'}, available ${fields['available'] ?? '0'}`
              : plugin && !none
                ? (plugin.fields['error'] ?? plugin.fields['library'] ?? plugin.fields['empty'] ?? 'its device plugin is not registered')
                : 'the device plugin fails to allocate';
    return {
      node: place.name,
      resource,
      said,
      list,
      fault,
      what: gpu ? fault : said,
      mechanism: gpu
        ? `On ${place.name} the hardware itself fails${address ? ` (GPU ${address})` : ''}: ${fault}. The driver cannot use that GPU any more, so the plugin reports it unhealthy, or validation fails; a reset or reboot may bring it back, else the card is faulty.`
        : many && !none
          ? `This one cuts its cards into so many devices (one for each MiB of memory, for example) that their list is larger than a gRPC message (${list}); the kubelet drops the connection and counts all of them as unhealthy. A larger unit (GiB) makes the list short.`
          : `On ${place.name} the kubelet cannot hand out ${resource}: ${said}. After a reboot or restart of the kubelet the plugin must register again, and pods admitted before that are rejected (UnexpectedAdmissionError); or the plugin is down, or stale allocations hold the devices.`,
      unit: none && !gpu && !plugin ? 'kubelet' : '',
      plugins: '/var/lib/kubelet/device-plugins',
    };
  },

  fixes: [
    {
      say: 'See what the node offers, whether the plugin runs, and whether the hardware answers',
      risk: 'reads-only',
      steps: [
        {
          say: 'capacity and allocatable of the node',
          run: "kubectl describe node {{node}} | grep -A14 -E '^(Capacity|Allocatable):'",
          on: 'cluster',
        },
        {
          say: 'the plugin on that node, and its log',
          run: 'kubectl get pods -A -o wide --field-selector spec.nodeName={{node}} | grep -i device-plugin',
          on: 'cluster',
        },
        { say: 'the hardware and its errors', run: "nvidia-smi; dmesg -T | grep -iE 'NVRM|Xid' | tail; ls {{plugins}}", on: 'node' },
      ],
    },
    {
      say: 'Restart the device plugin on {node}, then delete the rejected pods (they never start by themselves)',
      risk: 'restarts-pods',
      steps: [
        { say: 'the plugin registers anew', run: 'kubectl -n NAMESPACE delete pod DEVICE_PLUGIN_POD', on: 'cluster' },
        { say: 'pods that were rejected', run: 'kubectl delete pods -A --field-selector status.phase=Failed', on: 'cluster' },
      ],
      verified: 'allocatable of {resource} is above 0 again and the new pods start',
    },
    {
      say: 'Stale allocations: restart the kubelet of {node}',
      risk: 'touches-node',
      steps: [{ say: 'restart', run: 'systemctl restart kubelet', on: 'node' }],
      changes: [{ do: 'units', action: 'restart', units: ['{{unit}}'] }, { do: 'restart-pods' }],
      verified: 'allocatable of {resource} is above 0 again and the new pods start',
    },
    {
      say: 'Too many devices announced: let the plugin count in a larger unit (for example --memory-unit=GiB), then restart it',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'its arguments; pods must then ask in the same unit',
          run: "kubectl get daemonsets -A -o yaml | grep -nE -B2 -A2 'memory-unit|memoryUnit|device-split|deviceMemoryScaling'",
          on: 'cluster',
        },
      ],
      verified: 'capacity of {resource} on {node} is above 0',
    },
    {
      say: 'A faulty GPU: drain {node}, reset or reboot; if it comes back (GPU lost, infoROM corrupted), replace the card through the vendor (RMA)',
      risk: 'moves-pods',
      for: ['gpuGone'],
      steps: [
        { say: 'move the pods away', run: 'kubectl drain {{node}} --ignore-daemonsets --delete-emptydir-data', on: 'cluster' },
        { say: 'reset the card, else reboot', run: 'nvidia-smi --gpu-reset -i INDEX || systemctl reboot', on: 'node' },
        { say: 'when it stays faulty, take the GPU out and have it replaced', on: 'node' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: [
    'kubernetes pkg/kubelet/cm/devicemanager/manager.go',
    'NVIDIA k8s-device-plugin',
    'NVIDIA GPU debug guidelines (Xid errors, infoROM)',
    'kubernetes issues 125579, 130145',
  ],
});
