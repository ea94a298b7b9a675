import { defineCause, excludes, line, minutes, on, proves } from '../../define-cause.ts';

const refused = line(
  ['127.0.0.1:10251/healthz', '127.0.0.1:10252/healthz', 'localhost:10251/healthz', 'localhost:10252/healthz'],
  'objects',
  /http:\/\/(?:127\.0\.0\.1|localhost):(?<port>10251|10252)\/healthz[\s\S]{0,120}?connection refused/,
);

export const cause = defineCause({
  id: 'component-status-port-off',
  area: 'control-plane',
  at: 'Cluster',
  maturity: 'stable',
  explains: ['control-plane-down', 'other-trouble'],
  wakesOn: [on('object.status', { status: 'Unhealthy' })],

  text: {
    name: 'Old health ports are off',
    title: 'kubectl get cs calls scheduler or controller manager Unhealthy because their plain HTTP port {port} is off (--port=0)',
    why: 'kubectl get componentstatuses asks the old insecure ports 10251 (kube-scheduler) and 10252 (kube-controller-manager). kubeadm turns them off (--port=0 in the static pod manifests), and newer versions have none; both programs serve on 10259 and 10257 instead. They mostly run well: the listing is deprecated and wrong.',
  },

  clues: {
    refused: proves(refused),
    scheduler: excludes('pod.symptom', ({ about }) => /^Pod\/[^/]*\/kube-(?:scheduler|controller-manager)(?:-|$)/.test(about)),
  },
  says: {
    refused: 'the old port {port} refuses the connection',
    scheduler: 'the pod of the scheduler or controller manager itself is in trouble',
  },
  slots: (_place, { refused: said }) => ({ port: said?.fields['port'] ?? '10251 or 10252' }),

  fixes: [
    {
      say: 'See whether they really run',
      risk: 'reads-only',
      steps: [
        {
          say: 'their pods and their leases',
          run: 'kubectl -n kube-system get pods -l tier=control-plane -o wide; kubectl -n kube-system get lease',
          on: 'cluster',
        },
        {
          say: 'their real health ports',
          run: 'curl -k https://127.0.0.1:10259/healthz; curl -k https://127.0.0.1:10257/healthz',
          on: 'node',
        },
        { say: 'in place of componentstatuses', run: "kubectl get --raw='/readyz?verbose'", on: 'cluster' },
      ],
    },
    {
      say: 'To make the listing green on 1.18 and 1.19: take --port=0 out of both manifests',
      risk: 'touches-node',
      steps: [
        {
          say: 'the kubelet restarts them by itself',
          run: "sed -i.before '/- --port=0/d' /etc/kubernetes/manifests/kube-scheduler.yaml /etc/kubernetes/manifests/kube-controller-manager.yaml && mv /etc/kubernetes/manifests/*.before /var/tmp/",
          on: 'node',
        },
      ],
      verified: 'kubectl get cs shows Healthy',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/registry/core/componentstatus', 'kubernetes cmd/kubeadm/app/phases/controlplane/manifests.go'],
});
