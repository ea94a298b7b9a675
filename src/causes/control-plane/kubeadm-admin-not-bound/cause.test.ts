import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const vip =
  'E0304 08:10:57.321281       1 leaderelection.go:332] error retrieving resource lock kube-system/plndr-cp-lock: leases.coordination.k8s.io "plndr-cp-lock" is forbidden: User "kubernetes-admin" cannot get resource "leases" in API group "coordination.k8s.io" in the namespace "kube-system"\n';

testCause(cause, {
  finds: {
    'kube-vip waits for it': {
      evidence: { 'vip.log': `$ kubectl -n kube-system logs kube-vip-plover-1\n${vip}` },
      confidence: 'certain',
      cites: ['vip.log:2'],
    },
    'kubectl is refused': {
      evidence: {
        'terminal.txt':
          '$ kubectl get nodes\nError from server (Forbidden): nodes is forbidden: User "kubernetes-admin" cannot list resource "nodes" in API group "" at the cluster scope\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'the binding is there': {
      evidence: {
        'vip.log': `$ kubectl -n kube-system logs kube-vip-plover-1\n${vip}`,
        'terminal.txt':
          '$ kubectl create clusterrolebinding kubeadm:cluster-admins --clusterrole=cluster-admin --group=kubeadm:cluster-admins\nerror: failed to create clusterrolebinding: clusterrolebindings.rbac.authorization.k8s.io "kubeadm:cluster-admins" already exists\n',
      },
      by: 'other',
    },
  },
  asks: {
    'the log': {
      evidence: { 'note.txt': 'nodes is forbidden: User "kubernetes-admin" cannot list resource "nodes" says everything since today\n' },
      for: 'container-log',
    },
  },
});
