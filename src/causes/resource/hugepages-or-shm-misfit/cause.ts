import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, on, proves, supports } from '../../define-cause.ts';

const sharedMemory = line(
  [
    'shared memory segment',
    'out of shared memory',
    'shared memory object',
    '/dev/shm/nccl',
    '</torch_',
    'posix_fallocate failed',
    'shared memory in /dev/shm',
    'for shared memory files',
    'ORA-00845',
    'Insufficient shared memory',
  ],
  ['container-log'],
  /(?<postgres>could not resize shared memory segment \\*"[^"\\\n]{1,100}\\*" to (?<size>\d{1,20}) bytes: No space left on device)|(?<sysv>could not create shared memory segment: (?:No space left on device|Cannot allocate memory|Invalid argument))|(?<loader>DataLoader worker[^\n]{0,80}?(?:Bus error|killed by signal)[^\n]{0,60}?shared memory|workers are out of shared memory|Insufficient shared memory)|(?<torch>unable to (?:write to file|open shared memory object|mmap \d{1,20} bytes from file) <\/torch_[^\n]{0,200})|(?<nccl>creating shared memory segment \/dev\/shm\/nccl[^\n]{0,100}|posix_fallocate failed[^\n]{0,10}No space left on device)|(?<chrome>Creating shared memory in \/dev\/shm[^\n]{0,100}?failed: No space left on device|Less than 64MB of free space in temporary directory for shared memory files)|(?<oracle>ORA-00845[^\n]{0,100})/i,
);
const hugePages = line(
  [
    'Insufficient hugepages',
    'free hugepages',
    'hugepages reported',
    'hugepage information',
    'backing store for guest RAM',
    'huge pages',
    'could not map anonymous shared memory',
  ],
  ['pod-events', 'container-log', 'kubelet-log'],
  /(?<scheduler>Insufficient (?<resource>hugepages-\w{1,8}))|(?<dpdk>EAL: (?:FATAL: )?Cannot get hugepage information[^\n]{0,60})|(?<notice>EAL: No (?:free|available)[^\n]{0,20} hugepages reported[^\n]{0,60}|could not map anonymous shared memory[^\n]{0,60})|(?<qemu>(?:unable to map|can't open) backing store[^\n]{0,120}?(?:Cannot allocate memory|hugepages))|could not (?:map anonymous shared memory|allocate)[^\n]{0,60}?huge ?pages/i,
);
const busError = line(['Bus error', 'SIGBUS: bus error', '(SIGBUS)'], ['container-log'], /Bus error(?: \(core dumped\))?|SIGBUS/);
const exhausted = line(
  ['No space left on device'],
  ['container-log'],
  /\/dev\/shm\/[^\n]{0,160}?No space left on device|No space left on device[^\n]{0,80}\/dev\/shm/i,
);
const full = line(
  ['/dev/shm'],
  ['container-log', 'host-state'],
  /(?:^|\s)(?:shm|tmpfs)\s{1,30}(?<shmSize>[\d.]{1,12}[KMG]?)\s{1,20}[\d.]{1,12}[KMG]?\s{1,20}[\d.]{1,12}[KMG]?\s{1,20}(?:9\d|100)%\s{1,10}\/dev\/shm/,
);
const offHugePages = line(['Cannot allocate memory'], [], /Killed process \d{1,10}|oom-kill:/);

const BUS_ERROR = 135;
const SIGBUS = 7;

export const cause = defineCause({
  id: 'hugepages-or-shm-misfit',
  area: 'resource',
  at: 'WorkloadContainer',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash', 'pending', 'other-trouble'],
  wakesOn: [on('container.terminated', { exitCode: BUS_ERROR }), on('container.terminated', { signal: SIGBUS })],

  text: {
    name: 'Shared memory or hugepages short',
    title: 'Shared memory or huge pages are short: {container} {what}',
    why: '{container} needs shared memory (/dev/shm) or huge pages that its container does not have. {mechanism}',
  },

  clues: {
    sharedMemory: proves(sharedMemory),
    hugePages: proves(hugePages, ({ fields }) => fields['notice'] === undefined),
    notice: supports(hugePages, ({ fields }) => fields['notice'] !== undefined),
    ended: supports('container.terminated', ({ exitCode, signal }) => exitCode === BUS_ERROR || signal === SIGBUS),
    busError: supports(busError),
    diesOfIt: supports('container.last-words', ({ lines }) =>
      lines.slice(-8).some((text) => /Bus error|SIGBUS/i.test(text.slice(0, 2000))),
    ),
    exhausted: proves(exhausted, byContainers),
    full: supports(full),
    offHugePages: excludes(offHugePages),
    well: excludes('pod.status', isWell),
    over: excludes('pod.history'),
  },
  says: {
    sharedMemory: 'it cannot get its shared memory: {error}',
    hugePages: 'it cannot get huge pages: {error}',
    notice: 'it cannot get the shared memory or huge pages it wants',
    ended: 'it ended with exit code 135: SIGBUS',
    busError: 'its log speaks of a bus error',
    diesOfIt: 'its last words are a bus error',
    exhausted: 'writing to /dev/shm fails: no space left on device',
    full: '/dev/shm is full ({shmSize})',
    offHugePages: 'the kernel killed a process for memory',
    well: 'the pod runs and is ready, or has finished well',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { sharedMemory: shared, hugePages: pages, notice, ended, busError: bus, exhausted: writing, full: shm }) => {
    const huge = pages ?? notice;
    const error = (
      Object.entries(shared?.fields ?? huge?.fields ?? {}).find(([key]) => key !== 'size' && key !== 'resource')?.[1] ??
      (writing ? 'no space left on device' : 'bus error')
    ).slice(0, 160);
    const resource = huge?.fields['resource'] ?? 'huge pages';
    const isHuge = huge !== undefined && shared === undefined;
    const isBus = shared === undefined && huge === undefined && writing === undefined && (ended !== undefined || bus !== undefined);
    return {
      ...namesOf(place),
      error,
      shmSize: shm?.fields['shmSize'] ?? '64M',
      what: isHuge
        ? `gets no ${resource}: ${error}`
        : isBus
          ? 'ends with a bus error (SIGBUS, exit code 135)'
          : `runs out of shared memory in /dev/shm (64 MiB unless set otherwise): ${error}`,
      mechanism: isHuge
        ? 'Huge pages have to be reserved on the node (vm.nr_hugepages) before the kubelet starts, and the pod must ask for them under resources.limits (hugepages-2Mi). A program that wants them without that finds none, or is refused by the cgroup.'
        : isBus
          ? 'SIGBUS comes when memory that was mapped cannot be provided: a full /dev/shm or tmpfs, huge pages that the node has but the pod did not ask for (PostgreSQL tries them by default), or a mapped file that was cut short.'
          : 'The runtime gives each container a /dev/shm of 64 MiB. PostgreSQL, PyTorch, NCCL, browsers and Oracle use it for their processes to share data; when it is full, allocation fails with "no space left on device" or a bus error, though no disk is full and memory is free.',
    };
  },

  fixes: [
    {
      say: 'See how large /dev/shm is, and which huge pages the node has',
      risk: 'reads-only',
      steps: [
        { say: 'inside the container', run: 'kubectl -n {{namespace}} exec {{target}} -c {{container}} -- df -h /dev/shm', on: 'cluster' },
        { say: 'on the node', run: 'grep -i huge /proc/meminfo; sysctl vm.nr_hugepages', on: 'node' },
        { say: 'what Kubernetes counts', run: "kubectl describe nodes | grep -E '^Name:|hugepages'", on: 'cluster' },
      ],
    },
    {
      say: 'Mount a larger /dev/shm: an emptyDir with medium Memory',
      risk: 'restarts-pods',
      for: ['sharedMemory', 'exhausted', 'full'],
      steps: [
        {
          say: 'a volume: name shm, emptyDir with medium: Memory and sizeLimit: 1Gi, and a volumeMount of it at /dev/shm; it counts against the memory limit',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      verified: '{container} starts, and df shows the larger /dev/shm',
    },
    {
      say: 'For huge pages: reserve them on the node and ask for them in the pod, or switch them off in the program',
      risk: 'touches-node',
      for: ['hugePages'],
      steps: [
        {
          say: 'reserve, and restart the kubelet so that it counts them',
          run: "echo 'vm.nr_hugepages = 1024' > /etc/sysctl.d/90-hugepages.conf && sysctl --system && systemctl restart kubelet",
          on: 'node',
        },
        {
          say: 'in the pod: limits hugepages-2Mi and memory, and an emptyDir with medium HugePages; or huge_pages = off in postgresql.conf',
        },
      ],
      verified: '{container} starts',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'containerd and runc default /dev/shm (64 MiB)',
    'PostgreSQL src/backend/storage/ipc/dsm_impl.c',
    'kubernetes hugepages documentation',
  ],
});
