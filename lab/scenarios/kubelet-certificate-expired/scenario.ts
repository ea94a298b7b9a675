import { issueCertificate } from '../../src/cluster/certificates.ts';
import { allPodsReady, nodeIsSilent } from '../../src/conditions.ts';
import { authorityOf, must } from '../../src/faults.ts';
import { nodeClientIdentity } from '../../src/node/skeleton.ts';
import { defineScenario } from '../../src/scenario.ts';

const DAY = 86_400_000;
const CURRENT = '/var/lib/kubelet/pki/kubelet-client-current.pem';

export const scenario = defineScenario({
  id: 'kubelet-certificate-expired',
  title: 'The client certificate of a kubelet expired while the node was off',
  on: 'worker-a',
  manifest: true,
  ready: allPodsReady(),
  breakIt: async (lab) => {
    const node = lab.node('worker-a');
    const dates = { notBefore: new Date(Date.now() - 366 * DAY), notAfter: new Date(Date.now() - DAY) };
    const issued = await issueCertificate(authorityOf(lab), { ...nodeClientIdentity(node.name), ...dates });
    await must(node, `cp -p ${CURRENT} /var/tmp/kubelet-client.pem`);
    await node.writeFile(CURRENT, issued.certificate + issued.key);
    await must(node, 'systemctl restart kubelet');
  },
  restore: async (lab) => {
    await must(lab.node('worker-a'), `mv /var/tmp/kubelet-client.pem ${CURRENT} && systemctl restart kubelet`);
  },
  until: nodeIsSilent('worker-a'),
  expect: { cause: 'kubelet-bootstrap-or-cert-expired', place: 'node worker-a', confidence: 'certain', victims: 2 },
  never: ['clock-skew', 'kubelet-unit-stopped', 'control-plane-cert-expired', 'runtime-socket-gone-or-refused'],
  host: ['worker-a'],
  evidence: {
    node: [
      { node: 'worker-a', command: 'journalctl -u kubelet -n 60 --no-pager' },
      { node: 'worker-a', command: `openssl x509 -in ${CURRENT} -noout -dates` },
    ],
  },
});
