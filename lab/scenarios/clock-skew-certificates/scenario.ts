import { issueCertificate } from '../../src/cluster/certificates.ts';
import { allPodsReady, nodeIsSilent } from '../../src/conditions.ts';
import { authorityOf, must } from '../../src/faults.ts';
import { defineScenario } from '../../src/scenario.ts';
import { API_ADDRESS } from '../../src/settings.ts';

const HOUR = 3_600_000;
const REDIRECT = `OUTPUT -d ${API_ADDRESS} -p tcp --dport 6443 -j REDIRECT --to-ports 7443`;

/** A clock cannot be turned for one node alone. What the kubelet meets is the same: a server whose certificate begins later than its now. */
export const scenario = defineScenario({
  id: 'clock-skew-certificates',
  title: 'To the kubelet the API server is not valid yet: the clock of the node is behind',
  on: 'worker-a',
  manifest: true,
  ready: allPodsReady(),
  breakIt: async (lab) => {
    const node = lab.node('worker-a');
    const begins = new Date(Date.now() + 9 * HOUR);
    const issued = await issueCertificate(authorityOf(lab), {
      commonName: 'kube-apiserver',
      names: [`IP:${API_ADDRESS}`],
      notBefore: begins,
    });
    await node.writeFile('/var/tmp/early.crt', issued.certificate);
    await node.writeFile('/var/tmp/early.key', issued.key);
    await must(node, 'systemd-run -q --unit=early openssl s_server -quiet -accept 7443 -cert /var/tmp/early.crt -key /var/tmp/early.key');
    await must(node, `iptables -t nat -I ${REDIRECT} && systemctl restart kubelet`);
  },
  restore: async (lab) => {
    const node = lab.node('worker-a');
    await node.exec(`iptables -t nat -D ${REDIRECT}; systemctl stop early; systemctl reset-failed early; rm -f /var/tmp/early.*`);
    await must(node, 'systemctl restart kubelet');
  },
  until: nodeIsSilent('worker-a'),
  expect: { cause: 'clock-skew', place: 'node worker-a', confidence: 'certain', victims: 2 },
  never: ['kubelet-bootstrap-or-cert-expired', 'control-plane-cert-expired', 'kubelet-unit-stopped'],
  host: ['worker-a'],
  evidence: { node: [{ node: 'worker-a', command: 'journalctl -u kubelet -n 80 --no-pager' }] },
});
