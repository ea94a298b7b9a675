import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason                  Age                 From               Message
  ----     ------                  ----                ----               -------
  Normal   Scheduled               3m10s               default-scheduler  Successfully assigned shop/cart-5d9c7b6f8-q2w4z to plover-1
  Warning  FailedCreatePodSandBox  8s (x15 over 3m9s)  kubelet            Failed to create pod sandbox: rpc error: code = Unknown desc = ${message}
`;
const add =
  'failed to setup network for sandbox "0d1f2e3a4b5c": plugin type="calico" failed (add): error getting ClusterInformation: connection is unauthorized: Unauthorized';

testCause(cause, {
  finds: {
    'without more words': {
      evidence: {
        'describe.txt': events('failed to setup network for sandbox "0d1f2e3a4b5c": plugin type="calico" failed (add): Unauthorized'),
      },
      confidence: 'certain',
    },
    'older kubelets': {
      evidence: {
        'describe.txt': events(
          'failed to set up sandbox container "0d1f" network for pod "cart-0": networkPlugin cni failed to set up pod "cart-0_shop" network: Unauthorized',
        ),
      },
      confidence: 'certain',
    },
    'a pod that does not start': {
      evidence: { 'describe.txt': events(add) },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['describe.txt:5'],
      victims: 1,
    },
    'a pod that does not go': {
      evidence: {
        'kubelet.log': `Mar 04 08:10:57 plover-1 kubelet[1204]: E0304 08:10:57.331207    1204 pod_workers.go:1300] "Error syncing pod, skipping" err="failed to \\"KillPodSandbox\\" for \\"7e6c\\" with KillPodSandboxError: \\"rpc error: code = Unknown desc = failed to destroy network for sandbox \\\\\\"ab12\\\\\\": plugin type=\\\\\\"calico\\\\\\" failed (delete): error getting ClusterInformation: connection is unauthorized: Unauthorized\\"" pod="shop/cart-0" podUID="0b54d0d8-3c1e-4b54-9a52-6f64a1b2f7aa"
`,
      },
      confidence: 'certain',
      place: 'node plover-1',
    },
    'rights are missing': {
      evidence: {
        'describe.txt': events(
          'failed to setup network for sandbox "0d1f2e3a4b5c": plugin type="calico" failed (add): error getting ClusterInformation: connection is unauthorized: clusterinformations.crd.projectcalico.org "default" is forbidden: User "system:serviceaccount:kube-system:calico-node" cannot get resource',
        ),
      },
      confidence: 'certain',
    },
    'the CA of another cluster': {
      evidence: {
        'describe.txt': events(
          'failed to setup network for sandbox "0d1f2e3a4b5c": plugin type="calico" failed (add): error getting ClusterInformation: Get "https://10.96.0.1:443/apis/crd.projectcalico.org/v1/clusterinformations/default": x509: certificate signed by unknown authority',
        ),
      },
      confidence: 'certain',
    },
    multus: {
      evidence: {
        'describe.txt': events(
          'failed to setup network for sandbox "0d1f2e3a4b5c": plugin type="multus" name="multus-cni-network" failed (add): Multus: [shop/cart-5d9c7b6f8-q2w4z/1b]: error getting pod: Unauthorized',
        ),
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'no answer at all': {
      evidence: {
        'describe.txt': `${events(add)}  Warning  FailedCreatePodSandBox  3s  kubelet  Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "1d1f": plugin type="calico" failed (add): error getting ClusterInformation: Get "https://10.96.0.1:443/apis/crd.projectcalico.org/v1/clusterinformations/default": dial tcp 10.96.0.1:443: i/o timeout\n`,
      },
      by: 'noAnswer',
    },
  },
  asks: {
    'events of the pod': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 plover-1 kubelet[1204]: E0304 08:10:57.331207    1204 cni.go:1300] error getting ClusterInformation: connection is unauthorized: Unauthorized\n',
      },
      for: 'pod-events',
    },
  },
});

describe('calico-cni-unauthorized and the plugins of others', () => {
  it('names the plugin that is turned away', async () => {
    const text = events(
      'failed to setup network for sandbox "0d1f": plugin type="consul-cni" name="consul-cni" failed (add): error retrieving pod: Unauthorized',
    );
    const { incidents } = await diagnose([{ name: 'describe.txt', text }], { causes: [cause] });
    expect(incidents[0]?.title).toContain('consul-cni');
  });
});
