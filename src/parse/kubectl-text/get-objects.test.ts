import { describe, expect, it } from 'vitest';
import { factsOf, readText, saying } from './test-support.ts';

describe('kubectl get for other objects', () => {
  const CLAIMS = `NAME       STATUS    VOLUME                                     CAPACITY   ACCESS MODES   STORAGECLASS   AGE
data-db0   Bound     pvc-0a1b2c3d-0000-4000-8000-00000000abcd   10Gi       RWO            fast           9d
data-db1   Pending                                                                        fast           4m`;

  it('reads claims whose cells are empty', () => {
    const expected = [
      {
        about: 'Object/PersistentVolumeClaim/shop/data-db0',
        status: 'Bound',
        detail: 'STORAGECLASS fast, VOLUME pvc-0a1b2c3d-0000-4000-8000-00000000abcd',
        ageSeconds: 9 * 86_400,
      },
      { about: 'Object/PersistentVolumeClaim/shop/data-db1', status: 'Pending', detail: 'STORAGECLASS fast', ageSeconds: 240 },
    ];
    for (const text of [CLAIMS, CLAIMS.replace(/ {2,}/g, ' ')]) {
      const read = readText(text, { namespace: 'shop' });
      expect(factsOf(read, 'object.status').map(saying)).toEqual(expected);
      expect(factsOf(read, 'object.exists')).toHaveLength(2);
      expect(read.left).toEqual([]);
    }
  });

  it('counts wide characters once or twice, as the table does', () => {
    const header = 'NAME     STATUS    VOLUME   CAPACITY   ACCESS MODES   STORAGECLASS   AGE';
    const byCharacter = `data-0   Pending                                      慢速存储           4m`;
    const byWidth = `data-0   Pending                                      慢速存储       4m`;
    for (const row of [byCharacter, byWidth]) {
      expect(factsOf(readText(`${header}\n${row}`), 'object.status')[0]).toMatchObject({
        status: 'Pending',
        detail: 'STORAGECLASS 慢速存储',
      });
    }
  });

  it('reads volumes, classes and which one is the default', () => {
    const volumes = readText(
      `NAME    CAPACITY   ACCESS MODES   RECLAIM POLICY   STATUS     CLAIM           STORAGECLASS   REASON   AGE
pv-01   5Gi        RWX            Retain           Released   shop/data-db0   slow                    20d`,
      { namespace: 'shop' },
    );
    expect(factsOf(volumes, 'object.status').map(saying)).toEqual([
      {
        about: 'Object/PersistentVolume/?/pv-01',
        status: 'Released',
        detail: 'STORAGECLASS slow, CLAIM shop/data-db0',
        ageSeconds: 20 * 86_400,
      },
    ]);
    const classes = readText(`NAME             PROVISIONER            RECLAIMPOLICY   VOLUMEBINDINGMODE      ALLOWVOLUMEEXPANSION   AGE
fast (default)   csi.disks.example      Delete          WaitForFirstConsumer   true                   90d
slow             csi.disks.example      Retain          Immediate              false                  90d`);
    expect(factsOf(classes, 'object.exists').map(({ about }) => about)).toEqual([
      'Object/StorageClass/?/fast',
      'Object/StorageClass/?/slow',
    ]);
    expect(factsOf(classes, 'object.status').map(saying)).toEqual([
      { about: 'Object/StorageClass/?/fast', status: 'default', ageSeconds: 90 * 86_400 },
    ]);
  });

  it('takes the kind from the command where columns do not tell', () => {
    const read = readText('NAME        DATA   AGE\nsettings    3      4d', { command: 'kubectl get cm -n shop', namespace: 'shop' });
    expect(factsOf(read, 'object.exists').map(saying)).toEqual([{ about: 'Object/ConfigMap/shop/settings', type: 'ConfigMap' }]);
    const namespaces = readText('NAME    STATUS        AGE\nold     Terminating   6d', { command: 'kubectl get ns' });
    expect(factsOf(namespaces, 'object.status').map(saying)).toEqual([
      { about: 'Object/Namespace/?/old', status: 'Terminating', ageSeconds: 6 * 86_400 },
    ]);
  });

  it('words the state of each kind as its listing does', () => {
    const statusOf = (text: string, command?: string) =>
      factsOf(readText(text, command === undefined ? {} : { command }), 'object.status').map(({ status, detail, asked }) => [
        status,
        detail,
        asked,
      ]);
    expect(
      statusOf('NAME TYPE CLUSTER-IP EXTERNAL-IP PORT(S) AGE\nweb LoadBalancer 10.96.4.7 <pending> 80:31234/TCP 2d', 'kubectl get svc web'),
    ).toEqual([['pending', 'LoadBalancer without an address', true]]);
    expect(
      statusOf(
        'NAME  REFERENCE       TARGETS         MINPODS   MAXPODS   REPLICAS   AGE\nweb   Deployment/web  <unknown>/80%   2         10        2          2d',
      ),
    ).toEqual([['<unknown>/80%', 'REFERENCE Deployment/web, REPLICAS 2', undefined]]);
    expect(
      statusOf('NAME    SCHEDULE      SUSPEND   ACTIVE   LAST SCHEDULE   AGE\ntidy    */5 * * * *   True      0        <none>          4d'),
    ).toEqual([['suspended', 'SCHEDULE */5 * * * *, ACTIVE 0', undefined]]);
    expect(statusOf('NAME   CLASS    HOSTS           ADDRESS   PORTS   AGE\nweb    <none>   shop.example              80      2d')).toEqual(
      [['no address', 'CLASS <none>, HOSTS shop.example', undefined]],
    );
    expect(statusOf('NAME   ADDRESSTYPE   PORTS     ENDPOINTS   AGE\nweb-x  IPv4          <unset>   <unset>     2d')).toEqual([
      ['<unset>', undefined, undefined],
    ]);
    expect(
      statusOf(
        'NAME                     SERVICE               AVAILABLE                  AGE\nv1beta1.metrics.k8s.io   kube-system/metrics   False (MissingEndpoints)   9d',
      ),
    ).toEqual([['False (MissingEndpoints)', 'SERVICE kube-system/metrics', undefined]]);
    expect(
      statusOf(
        'NAME       AGE   SIGNERNAME   REQUESTOR              CONDITION\ncsr-4bq2   12m   a/serving    system:node:worker-1   Pending',
      ),
    ).toEqual([['Pending', 'SIGNERNAME a/serving, REQUESTOR system:node:worker-1', undefined]]);
    const operators =
      'NAME      VERSION   AVAILABLE   PROGRESSING   DEGRADED   SINCE   MESSAGE\ndns       4.14.1    True        False         False      9d\nnetwork   4.14.1    True        False         True       5m      DaemonSet "multus" rollout is not making progress';
    expect(statusOf(operators)).toEqual([
      ['available', undefined, undefined],
      ['degraded', 'DaemonSet "multus" rollout is not making progress', undefined],
    ]);
    expect(statusOf('NAME       HOLDER     AGE\nworker-1   worker-1   33d')).toEqual([['held', 'HOLDER worker-1', undefined]]);
  });

  it('recognises tables of unknown kinds without making anything of them', () => {
    const read = readText('NAME     STATE      ROBUSTNESS   SIZE   AGE\nvol-01   attached   degraded     10Gi   4d', {
      command: 'kubectl get volumes.storage.example.io',
    });
    expect(read.facts).toEqual([]);
    expect(read.left).toEqual([]);
    const top = readText(
      'NAME       CPU(cores)   CPU%   MEMORY(bytes)   MEMORY%\nworker-1   120m         6%     2277Mi          49%\nAll is well here today, really.',
      { command: 'kubectl top nodes' },
    );
    expect(top.pieces).toMatchObject([{ lines: [1, 2] }]);
    expect(top.left).toEqual(['All is well here today, really.']);
  });

  it('leaves the tables of other programs alone', () => {
    const disks = 'NAME   MAJ:MIN RM SIZE RO TYPE MOUNTPOINT\nsda      8:0    0  20G  0 disk';
    const releases =
      'NAME   NAMESPACE   REVISION   UPDATED      STATUS     CHART       APP VERSION\nshop   default     4          2024-01-02   deployed   shop-1.0    1.2';
    expect(readText(disks).pieces).toEqual([]);
    expect(readText(releases, { command: 'helm list' }).pieces).toEqual([]);
    expect(readText('NAME   LABELS\nk8s.io', { command: 'ctr ns ls' }).pieces).toEqual([]);
  });

  it('never claims to have seen all objects', () => {
    expect(readText(CLAIMS).coverage).toMatchObject([{ channel: 'objects', extent: 'excerpt' }]);
  });
});
