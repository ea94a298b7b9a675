import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const top = (steal: string) => `[root@alder ~]# top -b -n1
top - 08:10:57 up 9 days,  1:02,  1 user,  load average: 9.11, 8.70, 8.02
%Cpu(s): 21.4 us,  9.1 sy,  0.0 ni, 31.0 id,  0.3 wa,  0.0 hi,  0.4 si, ${steal} st
`;
const kernel =
  "Mar 04 08:10:57 alder kernel: [91234.118402] clocksource: timekeeping watchdog on CPU2: Marking clocksource 'tsc' as unstable because the skew is too large:\n";

testCause(cause, {
  finds: {
    'steal is high': { evidence: { 'top.txt': top('37.8') }, confidence: 'certain', place: 'node alder', cites: ['top.txt:3'] },
    'no random numbers': {
      evidence: {
        'log.txt':
          '$ kubectl -n shop logs portal-0\n04-Mar-2026 08:10:57.118 WARNING [main] org.apache.catalina.util.SessionIdGeneratorBase.createSecureRandom Creation of SecureRandom instance for session ID generation using [SHA1PRNG] took [213467] milliseconds.\nnot enough entropy\n',
      },
      confidence: 'certain',
    },
    'signs of a machine that stands still': {
      evidence: {
        'kern.log': `${kernel}Mar 04 08:10:58 alder kernel: [91235.118402] hypervisor: the VM was paused for 9 s\n`,
        'etcd.log':
          'Mar 04 08:10:57 alder etcd[611]: {"level":"warn","msg":"leader failed to send out heartbeat on time; took too long, leader is overloaded likely from slow disk"}\nMar 04 08:10:57 alder etcd[611]: failed to send out heartbeat on time; server is likely overloaded; took too long\n',
        'psi.txt': '[root@alder ~]# cat /proc/pressure/cpu\nsome avg10=71.22 avg60=64.10 avg300=59.87 total=9912837465\n',
      },
      confidence: 'probable',
      place: 'node alder',
    },
  },
  rulesOut: {
    'limits of the containers': {
      evidence: {
        'top.txt': top('37.8'),
        'alerts.txt': '[root@alder ~]# amtool alert\nCPUThrottlingHigh 2026-03-04 08:10:57 UTC container=cart\n',
      },
      by: 'throttled',
    },
  },
  asks: { 'the kernel log': { evidence: { 'top.txt': top('37.8') }, for: 'kernel-log' } },
});
