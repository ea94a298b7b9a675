import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const topSteal = line(['%Cpu(s):', 'Cpu(s): '], 'host-tools', /Cpu\(s\):[^\n]{0,120}?\s(?<steal>[2-9]\d(?:[.,]\d)?)\s?%?st/);
const clocksource = line(
  ['as unstable because the skew is too large', 'Marking clocksource', 'clocksource watchdog', 'timekeeping watchdog on CPU'],
  ['kernel-log', 'system-log'],
  /Marking clocksource '(?<clock>[\w-]{1,20})' as unstable|timekeeping watchdog on CPU\d{1,4}: Marking/,
);
const starved = line(
  [
    'not enough entropy',
    'Not enough random bytes available',
    'waiting for entropy',
    'SecureRandom took',
    'Creation of SecureRandom instance',
  ],
  'container-log',
  /(?:not enough entropy|Not enough random bytes available|waiting for entropy)|SecureRandom instance[^\n]{0,80}? took \[(?<ms>\d{5,9})\] milliseconds/i,
);
const paused = line(
  ['detected that the VM was paused', 'vcpu stall', 'host is overcommitted', 'the VM was paused'],
  ['kernel-log', 'system-log'],
  /VM was paused|vcpu stall/i,
);
const pressure = line('some avg10=', 'host-tools', /some avg10=(?<share>[4-9]\d\.\d{2}|100\.00)/);
const throttled = line(['nr_throttled', 'CPUThrottlingHigh'], [], /CPUThrottlingHigh|nr_throttled [1-9]\d{3,}/);

export const cause = defineCause({
  id: 'entropy-or-cpu-steal-virtualisation',
  area: 'node',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['node-not-ready', 'not-ready', 'restarts', 'crash-loop', 'creating', 'control-plane-down', 'other-trouble'],

  text: {
    name: 'Virtual machine is starved',
    title: 'The virtual machine {where} gets too little from its host: {what}',
    why: 'A virtual machine runs only when its hypervisor lets it. On {where} {what}. Everything there is late: probes and leases time out, the kubelet misses its beats and the node flaps, programs wait for random numbers, although load and limits inside look fine.',
  },

  clues: {
    topSteal: proves(topSteal),
    starved: proves(starved),
    clocksource: supports(clocksource),
    paused: supports(paused),
    pressure: supports(pressure),
    throttled: excludes(throttled),
  },
  says: {
    topSteal: 'the hypervisor takes {steal} % of the CPU time away (steal)',
    starved: 'a program waits for random numbers: too little entropy',
    clocksource: 'the kernel finds its clock unstable: the machine was not running',
    paused: 'the virtual machine was paused',
    pressure: 'processes wait for CPU {share} % of the time',
    throttled: 'limits of the containers slow them down, not the hypervisor',
  },
  slots: (place, { topSteal: steal, starved: random, clocksource: clock, pressure: wait }) => ({
    where: place.kind !== 'Node' || place.name.includes(' ') ? 'this node' : `node ${place.name}`,
    steal: steal?.fields['steal'] ?? 'much',
    share: wait?.fields['share'] ?? 'much',
    what: steal
      ? `the hypervisor takes ${steal.fields['steal'] ?? 'much'} % of its CPU time away (steal)`
      : random
        ? 'random numbers run short (entropy), so programs wait at their start'
        : clock
          ? 'the kernel notices that it does not run for long moments (unstable clock source)'
          : 'everything is late',
  }),

  fixes: [
    {
      say: 'Measure steal, pressure and entropy on {where}',
      risk: 'reads-only',
      steps: [
        { say: 'column st: above 5 to 10 for long is too much', run: 'vmstat 5 5; mpstat -P ALL 5 1 2>/dev/null', on: 'node' },
        {
          say: 'time spent waiting',
          run: 'cat /proc/pressure/cpu /proc/pressure/io; cat /proc/sys/kernel/random/entropy_avail',
          on: 'node',
        },
        {
          say: 'clock',
          run: "dmesg -T | grep -iE 'clocksource|hrtimer|crng'; cat /sys/devices/system/clocksource/clocksource0/current_clocksource",
          on: 'node',
        },
      ],
    },
    {
      say: 'Give the virtual machine more: less overcommitted host, reserved CPUs, another instance type than burstable, a virtual random device',
      risk: 'moves-pods',
      steps: [
        { say: 'move the pods away meanwhile', run: 'kubectl drain NODE --ignore-daemonsets --delete-emptydir-data', on: 'cluster' },
        {
          say: 'entropy: add virtio-rng in the hypervisor, or run a collector',
          run: 'apt-get install -y rng-tools-debian || dnf install -y rng-tools && systemctl enable --now rngd',
          on: 'node',
        },
        { say: 'burstable instances (t2, t3, e2, B-series) that have used up their credits: change type or switch to unlimited' },
      ],
      verified: 'steal stays under 5 %, and the node no longer flaps',
    },
  ],

  verify: { quietForMinutes: minutes(60) },
  sources: [
    'Linux Documentation/accounting/psi, proc(5) steal',
    'Linux kernel/time/clocksource.c',
    'kubernetes pkg/kubelet/kubelet.go (housekeeping)',
  ],
});
