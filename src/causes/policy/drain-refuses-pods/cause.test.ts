import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const drain =
  '$ kubectl drain alder\nerror: unable to drain node "alder" due to error:[cannot delete DaemonSet-managed Pods (use --ignore-daemonsets to ignore): kube-system/kube-proxy-7vkzp, cannot delete Pods with local storage (use --delete-emptydir-data to override): orchard/till-0], continuing command...\n';

testCause(cause, {
  finds: {
    'daemons and local data': { evidence: { 'term.txt': drain }, confidence: 'certain' },
    'a pod of nobody': {
      evidence: {
        'term.txt':
          '$ kubectl drain alder --ignore-daemonsets\nerror: unable to drain node "alder" due to error:cannot delete Pods declare no controller (use --force to override): orchard/shell, continuing command...\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'drained since': {
      evidence: { 'term.txt': `${drain}$ kubectl drain alder --ignore-daemonsets --delete-emptydir-data\nnode/alder drained\n` },
      by: 'drained',
    },
  },
  asks: {
    'what kubectl says': { evidence: { 'note.txt': 'it says cannot delete Pods with local storage\n' }, for: 'objects' },
  },
});
