import { describe, expect, it } from 'vitest';
import { factsOf, readText, saying } from './test-support.ts';

const WIDE = `NAME       STATUS                     ROLES           AGE     VERSION        INTERNAL-IP   EXTERNAL-IP   OS-IMAGE             KERNEL-VERSION      CONTAINER-RUNTIME
master-0   Ready                      control-plane   3y45d   v1.28.4        10.0.0.1      <none>        Ubuntu 22.04.3 LTS   5.15.0-91-generic   containerd://1.7.2
worker-1   NotReady,SchedulingDisabled   <none>       6d20h   v1.28.4+k3s1   10.0.0.2      <none>        SLES 15              5.3.18              cri-o://1.28.1`;

describe('kubectl get nodes', () => {
  for (const [style, text] of Object.entries({
    aligned: WIDE,
    collapsed: WIDE.replace(/ {2,}/g, ' '),
    tabs: WIDE.replace(/ {2,}/g, '\t'),
    quoted: WIDE.replace(/^/gm, '> '),
  })) {
    it(`reads a wide table ${style}`, () => {
      const read = readText(text);
      expect(factsOf(read, 'node.status').map(saying)).toEqual([
        { about: 'Node/master-0', status: 'Ready', roles: 'control-plane', ageSeconds: 3 * 31_536_000 + 45 * 86_400 },
        { about: 'Node/worker-1', status: 'NotReady,SchedulingDisabled', ageSeconds: 590_400 },
      ]);
      expect(factsOf(read, 'node.info').map(saying)).toEqual([
        {
          about: 'Node/master-0',
          kubeletVersion: 'v1.28.4',
          osImage: 'Ubuntu 22.04.3 LTS',
          kernel: '5.15.0-91-generic',
          runtime: 'containerd',
          runtimeVersion: '1.7.2',
        },
        {
          about: 'Node/worker-1',
          kubeletVersion: 'v1.28.4+k3s1',
          osImage: 'SLES 15',
          kernel: '5.3.18',
          runtime: 'crio',
          runtimeVersion: '1.28.1',
        },
      ]);
      expect(read.coverage).toMatchObject([{ channel: 'node-status', about: 'Cluster/-', extent: 'excerpt' }]);
      expect(read.left).toEqual([]);
    });
  }

  it('reads old tables without roles', () => {
    const read = readText('NAME       STATUS     AGE       VERSION\nminion-1   NotReady   2h        v1.6.4');
    expect(factsOf(read, 'node.status').map(saying)).toEqual([{ about: 'Node/minion-1', status: 'NotReady', ageSeconds: 7200 }]);
  });

  it('reads rows without a header', () => {
    const read = readText(
      'worker-1   Ready   worker   5d   v1.30.2\nworker-2   NotReady   <none>   5d   v1.30.2   10.0.0.4   <none>   Debian GNU/Linux 12 (bookworm)   6.1.0   docker://24.0.7',
    );
    expect(factsOf(read, 'node.status').map((fact) => fact.status)).toEqual(['Ready', 'NotReady']);
    expect(factsOf(read, 'node.info')[1]).toMatchObject({ osImage: 'Debian GNU/Linux 12 (bookworm)', runtime: 'docker' });
    expect(read.coverage.map(({ about }) => about)).toEqual(['Node/worker-1', 'Node/worker-2']);
  });

  it('does not take sentences for nodes', () => {
    expect(readText('the node is Ready again after 5m').facts).toEqual([]);
  });
});
