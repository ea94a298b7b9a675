import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const denied = line(
  ['User "kubernetes-admin" cannot', 'User \\"kubernetes-admin\\" cannot'],
  ['container-log', 'kubeadm-output', 'kubelet-log', 'host-tools', 'objects'],
  /is forbidden: User [\\"]{1,4}kubernetes-admin[\\"]{1,4} cannot (?<verb>[a-z]{2,20}) resource [\\"]{1,4}(?<resource>[\w./-]{1,100})/,
);
/** kube-vip starts before kubeadm has bound the group of that user. */
const early = line(['plndr-cp-lock'], 'container-log', /plndr-cp-lock[^\n]{0,120}?is forbidden/);
const other = line(['clusterrolebindings.rbac.authorization.k8s.io "kubeadm:cluster-admins" already exists'], []);

export const cause = defineCause({
  id: 'kubeadm-admin-not-bound',
  area: 'control-plane',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'not-ready', 'failed', 'control-plane-down', 'other-trouble'],

  text: {
    name: 'admin.conf has no rights yet',
    title: 'The user of admin.conf (kubernetes-admin) has no rights in the cluster: {what}',
    why: 'Since Kubernetes 1.29 admin.conf is no longer all-powerful by itself: its user is in the group kubeadm:cluster-admins, which a ClusterRoleBinding of that name binds to cluster-admin, and kubeadm makes that binding only after the API server answers. {hint} The file super-admin.conf (group system:masters) works without any binding.',
  },

  clues: {
    denied: proves(denied),
    early: supports(early),
    other: excludes(other),
  },
  says: {
    denied: 'the API server refuses kubernetes-admin: {verb} {resource}',
    early: 'kube-vip may not take its lease, so it does not bring up the address of the control plane',
    other: 'the binding is there: something else takes the rights away',
  },
  slots: (_place, { denied: no, early: vip }) => ({
    verb: no?.fields['verb'] ?? 'use',
    resource: no?.fields['resource'] ?? 'its objects',
    what: vip
      ? 'kube-vip uses that file, and does not bring up the virtual address'
      : 'the ClusterRoleBinding kubeadm:cluster-admins is missing',
    hint: vip
      ? 'kube-vip with admin.conf waits for the binding, and kubeadm waits for the address of kube-vip: neither gets on.'
      : 'The binding was deleted, or the cluster was restored or built without it.',
  }),

  fixes: [
    {
      say: 'kube-vip on the first control plane: let it use super-admin.conf while kubeadm init runs',
      risk: 'touches-node',
      steps: [
        {
          say: 'in its static pod, before kubeadm init; change it back to admin.conf afterwards',
          run: "sed -i.before 's#path: /etc/kubernetes/admin.conf#path: /etc/kubernetes/super-admin.conf#' /etc/kubernetes/manifests/kube-vip.yaml",
          on: 'node',
        },
      ],
      verified: 'the log of kube-vip has no more "is forbidden" and kubeadm init goes on',
    },
    {
      say: 'Make the binding anew with super-admin.conf',
      risk: 'reads-only',
      steps: [
        {
          say: 'on a control plane node that has the file',
          run: 'kubectl --kubeconfig /etc/kubernetes/super-admin.conf create clusterrolebinding kubeadm:cluster-admins --clusterrole=cluster-admin --group=kubeadm:cluster-admins',
          on: 'node',
        },
        { say: 'where the file is missing', run: 'kubeadm init phase kubeconfig super-admin', on: 'node' },
      ],
      verified: 'kubectl auth can-i "*" "*" says yes with admin.conf',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes cmd/kubeadm/app/phases/kubeconfig/kubeconfig.go (EnsureAdminClusterRoleBinding)', 'kube-vip docs: static pods'],
});
