import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const unchanged = line(
  ['did not change after', "couldn't upgrade control plane", 'timed out waiting for the condition'],
  'kubeadm-output',
  /static Pod hash for component (?<component>[\w-]{3,60}) on Node (?<name>[\w.-]{1,253}) did not change after (?<waited>[\dmsh.]{2,12})/i,
);
const recovered = line(
  'kubeadm has tried to recover everything into the earlier state',
  'kubeadm-output',
  /couldn't upgrade control plane\. kubeadm has tried to recover everything into the earlier state(?:\. Errors faced(?:: (?<error>[^\n]{3,300}))?)?/,
);
const succeeded = line(['[upgrade/successful]', 'SUCCESS! Your cluster was upgraded', 'SUCCESS! A control plane node of your cluster'], []);

export const cause = defineCause({
  id: 'kubeadm-upgrade-static-pod-unchanged',
  area: 'kubelet',
  at: 'Node',
  maturity: 'stable',
  explains: ['control-plane-down', 'kubelet-down', 'node-not-ready', 'other-trouble'],
  effectOf: [
    'sandbox-image-unavailable',
    'image-registry-unreachable',
    'apiserver-flag-or-manifest-error',
    'etcd-no-quorum-or-slow',
    'etcd-corrupt-or-data-lost',
    'kubelet-cannot-reach-api',
    'kubelet-static-pod-manifest-broken',
    'disk-full-root',
  ],

  text: {
    name: 'kubeadm upgrade rolled back',
    title: 'kubeadm upgrade gave up on {name}: the static pod {component} did not change within {waited}, and it was rolled back',
    why: 'kubeadm upgrade writes the new manifest of {component} and waits until the kubelet has replaced the pod and the API server shows its new hash. On {name} that did not happen within {waited}: the kubelet did not see or could not start the new pod (kubelet stuck or not restarted, image not pulled, slow disk), its mirror pod was not updated, or the manifest in force already equals the new one (seen between patch releases of 1.28, where the files differ only in written-out defaults). kubeadm then put the old manifest back.',
  },

  clues: {
    unchanged: proves(unchanged),
    recovered: supports(recovered),
    succeeded: excludes(succeeded),
  },
  says: {
    unchanged: 'the pod {component} on {name} did not change within {waited}',
    recovered: 'kubeadm has put the earlier manifests back',
    succeeded: 'a later upgrade succeeded',
  },
  slots: (place, { unchanged: said }) => ({
    name: said?.fields['name'] ?? place.name,
    component: said?.fields['component'] ?? 'of the control plane',
    waited: said?.fields['waited'] ?? 'five minutes',
  }),

  fixes: [
    {
      say: 'See what became of the new pod while kubeadm waited',
      risk: 'reads-only',
      steps: [
        {
          say: 'containers and the kubelet of {name}',
          run: 'crictl ps -a | grep -E "etcd|kube-"; journalctl -u kubelet --since "15 min ago" --no-pager | grep -E "static|mirror|{{component}}" | tail -40',
          on: 'node',
        },
        {
          say: 'manifest in force and the one kubeadm kept',
          run: 'ls -l /etc/kubernetes/manifests /etc/kubernetes/tmp; diff -r /etc/kubernetes/manifests /etc/kubernetes/tmp/$(ls -t /etc/kubernetes/tmp | head -1)',
          on: 'node',
        },
        { say: 'are the images there', run: 'kubeadm config images list; crictl images | grep -E "etcd|kube-"', on: 'node' },
      ],
    },
    {
      say: 'Restart the kubelet, pull the images and run the upgrade again',
      risk: 'touches-node',
      steps: [
        { say: 'images first', run: 'kubeadm config images pull', on: 'node' },
        { say: 'the kubelet', run: 'systemctl restart kubelet', on: 'node' },
        { say: 'only etcd unchanged: leave it out', run: 'kubeadm upgrade apply VERSION --etcd-upgrade=false', on: 'node' },
        { say: 'within 1.28 (kubeadm issue 2957): upgrade with a later patch release of kubeadm', on: 'node' },
      ],
      verified: 'kubeadm prints SUCCESS, and kubectl get nodes shows the new version',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes cmd/kubeadm/app/util/apiclient/wait.go', 'kubernetes/kubeadm issue 2957'],
});
