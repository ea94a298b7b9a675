import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = `$ kubectl -n shop get pods -o wide
NAME                   READY   STATUS    RESTARTS       AGE   IP          NODE
cart-5f6d7c8b9-2whgg   1/1     Running   4 (3m ago)     9d    10.1.2.7    alder
mail-6c8bbd9c7d-x9k2p  1/1     Running   4 (3m ago)     9d    10.1.2.8    alder
`;
const events = (extra = '') => `$ kubectl get events -A
NAMESPACE   LAST SEEN             TYPE     REASON           OBJECT                      MESSAGE
default     4m (x4 over 50m)      Normal   Starting         node/alder                  Starting kubelet.
shop        4m                    Normal   Killing          pod/cart-5f6d7c8b9-2whgg    Stopping container cart
shop        4m                    Normal   SandboxChanged   pod/cart-5f6d7c8b9-2whgg    Pod sandbox changed, it will be killed and re-created.
${extra}`;
const journal = `Mar 04 08:10:57 alder systemd[1]: kubelet.service: Scheduled restart job, restart counter is at 4.
Mar 04 08:10:57 alder systemd[1]: Started kubelet: The Kubernetes Node Agent.
`;

testCause(cause, {
  finds: {
    'pods restart with the kubelet': {
      evidence: {
        'pods.txt': pods,
        'events.txt': events(),
        'journal.txt': journal,
        'config.yaml': 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\ncgroupRoot: /tenants\n',
      },
      confidence: 'probable',
      place: 'node alder',
    },
  },
  rulesOut: {
    'the node was rebooted': {
      evidence: {
        'pods.txt': pods,
        'events.txt': events(
          'default     5m                    Warning  Rebooted         node/alder                  Node alder has been rebooted, boot id: 4f3b2a1c\n',
        ),
      },
      by: 'rebooted',
    },
    'the stops never end': {
      evidence: {
        'pods.txt': pods.replace(/mail.*\n/, ''),
        'events.txt': events().replaceAll('shop        4m                ', 'shop        4m (x38 over 2h)  '),
      },
      by: 'repeats',
    },
    'a container fails by itself': {
      evidence: {
        'pods.txt': pods.replace(/mail.*\n/, ''),
        'events.txt': events(
          'shop        1m                    Warning  BackOff          pod/cart-5f6d7c8b9-2whgg    Back-off restarting failed container cart in pod cart-5f6d7c8b9-2whgg_shop(1b7cb0ee)\n',
        ),
      },
      by: 'ownFault',
    },
  },
  asks: {
    'when the kubelet was started': {
      evidence: {
        'pods.txt': pods,
        'config.yaml': 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\ncgroupRoot: /tenants\n',
      },
      for: 'node-events',
    },
  },
});
