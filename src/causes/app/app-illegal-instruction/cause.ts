import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, on, proves, supports } from '../../define-cause.ts';

const unsupported = line(
  [
    'CPU does not support x86-64-v',
    'can only be run on AMD64 processors',
    'requires a CPU with AVX',
    'compiled to use ',
    'CPU does not support',
    "but your machine doesn't support",
    'microarchitecture support',
    'Instruction check fail',
    'CPU ISA level is lower than required',
  ],
  ['container-log', 'control-plane-log'],
  /Fatal glibc error: CPU (?:lacks|does not support) (?<glibc>[\w.-]{2,40})|(?<isa>CPU ISA level) is lower than required|only be run on AMD64 processors with (?<go>v\d) microarchitecture|requires a CPU with (?<mongo>\w{2,20}) (?:instruction )?support|was compiled to use (?<tensorflow>[\w. ,]{2,80}?) instructions, but these aren't available|(?:CPU|processor) does not support (?:the )?(?<other>(?:SSE|SSSE|AVX|BMI|POPCNT|F16C|FMA|x86-64)[\w.-]{0,20})|baseline optimizations: \((?<numpy>[\w ,.]{2,120})\)[^\n]{0,60}?but your machine doesn't support/i,
);
const kernelSays = line(
  ['trap invalid opcode', 'undefined instruction'],
  'kernel-log',
  /(?<![\w./:-])(?<process>[\w./:-]{1,64})\[\d{1,10}\]:? trap invalid opcode ip:[0-9a-f]{1,18}[^\n]{0,80}?(?: in (?<library>[\w.+/-]{1,100})\[)?|undefined instruction/,
);
const itselfSays = line(
  ['Illegal instruction', 'SIGILL: illegal', 'SIGILL (0x4)'],
  'container-log',
  /Illegal instruction(?: \(core dumped\))?|SIGILL/i,
);
const emulated = line(
  ['uncaught target signal'],
  'container-log',
  /qemu: uncaught target signal (?<signal>\d{1,2}) \((?<name>[\w ]{3,40})\)/,
);
const flags = line(
  ['Model name', 'model name', 'QEMU Virtual CPU', 'Common KVM processor'],
  'host-state',
  /(?<model>QEMU Virtual CPU[^\n]{0,40}|Common KVM processor|kvm64|qemu64|cortex-a53|cortex-a72)/i,
);

const ILLEGAL = 132;
const SIGILL = 4;

export const cause = defineCause({
  id: 'app-illegal-instruction',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash', 'other-trouble'],
  wakesOn: [on('container.terminated', { exitCode: ILLEGAL }), on('container.terminated', { signal: SIGILL })],

  text: {
    name: 'CPU lacks an instruction',
    title: '{container} needs CPU instructions this node does not have{level}: illegal instruction (SIGILL, exit code 132)',
    why: 'The image was built for a newer CPU than the machine (or the virtual CPU model it shows) is{level}: SSE4.2, AVX or AVX2 are missing (MongoDB from 5.0 on needs AVX). At the first such instruction the processor refuses and the kernel ends the program with SIGILL; 132 is 128 + 4. The same image runs on nodes with a newer CPU.',
  },

  clues: {
    unsupported: proves(unsupported),
    ended: proves('container.terminated', ({ exitCode, signal }) => exitCode === ILLEGAL || signal === SIGILL),
    kernelSays: supports(kernelSays),
    itselfSays: proves(itselfSays, byContainers),
    emulated: supports(emulated),
    flags: supports(flags),
    killed: excludes('pod.event', ({ killedBy }) => killedBy === 'liveness-probe' || killedBy === 'startup-probe'),
    well: excludes('pod.status', isWell),
    over: excludes('pod.history'),
  },
  says: {
    unsupported: 'the program says that the CPU does not support what it needs{level}',
    ended: 'it ends with exit code 132: SIGILL',
    kernelSays: 'the kernel logs an invalid opcode of {process}',
    itselfSays: 'its log speaks of an illegal instruction',
    emulated: 'it runs under qemu emulation of another architecture',
    flags: 'the node has a reduced virtual CPU model ({model})',
    killed: 'a failing probe makes the kubelet restart it',
    well: 'the pod runs and is ready, or has finished well',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { unsupported: told, kernelSays: kernel, flags: cpu }) => {
    const level = Object.values(told?.fields ?? {}).find((value) => value !== undefined);
    return {
      ...namesOf(place),
      named: place.name.includes(' ') ? '' : place.name,
      level: level ? ` (${level})` : '',
      process: kernel?.fields['process'] ?? 'its program',
      model: cpu?.fields['model'] ?? 'not shown',
    };
  },

  fixes: [
    {
      say: 'See what the CPU of the node offers, and what the kernel logged',
      risk: 'reads-only',
      steps: [
        {
          say: 'model and flags: avx, avx2, sse4_2 (x86-64-v2 needs sse4_2, v3 needs avx2)',
          run: "lscpu | grep -E 'Model name|Flags' ; grep -owE 'avx2?|sse4_2|avx512f' /proc/cpuinfo | sort | uniq -c",
          on: 'node',
        },
        { say: 'the program', run: "journalctl -k --no-pager | grep -i 'invalid opcode' | tail", on: 'node' },
      ],
    },
    {
      say: 'Or use an image for an older CPU level (MongoDB 4.4, an image of another base, a build without AVX)',
      risk: 'restarts-pods',
      steps: [{ say: 'the version before', run: 'kubectl -n {{namespace}} set image {{target}} {{container}}=IMAGE:OLDER', on: 'cluster' }],
      changes: [
        {
          do: 'workload-set',
          container: '{{named}}',
          field: 'image',
          value: { ask: 'image', says: 'the image to use, such as registry.example/team/app:1.4' },
        },
      ],
      verified: '{container} starts',
    },
    {
      say: 'Run it on nodes with a newer CPU',
      risk: 'moves-pods',
      steps: [
        {
          say: 'label those nodes and select them',
          run: 'kubectl label node NODE cpu=avx; kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      verified: '{container} starts there',
    },
    {
      say: 'Or show the virtual machine the real CPU: host-passthrough (cpu type host) instead of kvm64 or qemu64',
      risk: 'touches-node',
      steps: [
        {
          say: 'Proxmox: CPU type host; libvirt: <cpu mode="host-passthrough"/>; then stop and start the machine',
          run: 'qm set MACHINE --cpu host || virsh edit MACHINE',
        },
      ],
      verified: 'lscpu on the node shows the flags',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['signal(7)', 'glibc sysdeps/x86/dl-get-cpu-features.c', 'linux arch/x86/kernel/traps.c', 'MongoDB production notes'],
});
