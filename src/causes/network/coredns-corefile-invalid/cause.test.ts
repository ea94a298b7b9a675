import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = `NAMESPACE     NAME                       READY   STATUS             RESTARTS       AGE
kube-system   coredns-7c65d6cfc9-4k2bp   0/1     CrashLoopBackOff   8 (2m2s ago)   19m
`;
const log = (words: string) => `$ kubectl -n kube-system logs coredns-7c65d6cfc9-4k2bp
${words}
`;
const unknown = "/etc/coredns/Corefile:12 - Error during parsing: Unknown directive 'forwrad'";

testCause(cause, {
  finds: {
    'the port of a plugin in two server blocks': {
      evidence: {
        'pods.txt': pods,
        'coredns.log': log('[ERROR] plugin/ready: Failed to start ready: listen tcp :8181: bind: address already in use'),
      },
      confidence: 'possible',
    },
    'an unknown directive': {
      evidence: { 'pods.txt': pods, 'coredns.log': log(unknown) },
      confidence: 'certain',
      place: 'Deployment kube-system/coredns',
      cites: ['coredns.log:2'],
      victims: 1,
    },
    'a plugin refuses': {
      evidence: { 'pods.txt': pods, 'coredns.log': log('plugin/forward: not an IP address or file: "dns.example.test"') },
      confidence: 'certain',
    },
    'no server to forward to': {
      evidence: { 'pods.txt': pods, 'coredns.log': log('plugin/forward: no nameservers found') },
      confidence: 'certain',
      cites: ['coredns.log:2'],
    },
    'the same zone twice': {
      evidence: { 'coredns.log': log('cannot serve dns://.:53 - it is already defined for dns://.:53') },
      confidence: 'certain',
    },
    'a change that was not taken over': {
      evidence: { 'coredns.log': log("[ERROR] Restart failed: plugin/cache: invalid TTL parameter: '30s'") },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'it loops': {
      evidence: { 'coredns.log': log(`${unknown}\n[FATAL] plugin/loop: Loop (127.0.0.1:41877 -> :53) detected for zone "."`) },
      by: 'loop',
    },
  },
  asks: { 'its log': { evidence: { 'note.txt': `${unknown}\n` }, for: 'container-log' } },
});
