import { describe, expect, it } from 'vitest';
import { factsOf, linesOf, readText, saying } from './test-support.ts';

const UID = '6a1b2c3d-4e5f-4061-9273-8495a6b7c8d9';

const TABLE = `Events:
  Type     Reason          Age                    From               Message
  ----     ------          ----                   ----               -------
  Normal   Scheduled       9m41s                  default-scheduler  Successfully assigned net-system/overlay-agent-q8z4t to worker-5
  Normal   Pulled          6m12s (x2 over 9m41s)  kubelet            Container image "registry.example/overlay:v2" already present on machine
  Normal   Created         6m12s (x2 over 9m41s)  kubelet            Created container overlay
  Normal   Started         6m12s (x2 over 9m41s)  kubelet            Started container overlay
  Normal   SandboxChanged  5m20s (x2 over 7m31s)  kubelet            Pod sandbox changed, it will be killed and re-created.
  Normal   Killing         71s (x5 over 8m13s)    kubelet            Stopping container overlay
  Warning  BackOff         2s (x11 over 4m6s)     kubelet            Back-off restarting failed container overlay in pod overlay-agent-q8z4t_net-system(${UID})`;

const POD = 'Pod/net-system/overlay-agent-q8z4t';

const STYLES: Readonly<Record<string, string>> = {
  'with its header': TABLE,
  'without the word Events': TABLE.split('\n').slice(1).join('\n'),
  bare: TABLE.split('\n').slice(3).join('\n'),
  collapsed: TABLE.replace(/ {2,}/g, ' '),
  tabs: TABLE.replace(/(\S) {2,}/g, '$1\t'),
  quoted: TABLE.replace(/^/gm, '> '),
  commented: TABLE.split('\n').slice(3).join('\n').replace(/^ */gm, '# '),
  unindented: TABLE.replace(/^ +/gm, ''),
};

describe('events of describe', () => {
  for (const [style, text] of Object.entries(STYLES)) {
    it(`reads rows ${style}`, () => {
      const read = readText(text);
      const events = factsOf(read, 'pod.event', POD);
      expect(events.map((event) => event.reason)).toEqual([
        'Scheduled',
        'Pulled',
        'Created',
        'Started',
        'SandboxChanged',
        'Killing',
        'BackOff',
      ]);
      expect(saying(events[5])).toEqual({
        about: POD,
        type: 'Normal',
        reason: 'Killing',
        message: 'Stopping container overlay',
        count: 5,
        lastAgo: 71,
        firstAgo: 493,
        from: 'kubelet',
        container: 'overlay',
        killedBy: 'stop',
      });
      expect(events[6]).toMatchObject({ type: 'Warning', count: 11, lastAgo: 2, firstAgo: 246, container: 'overlay' });
      expect(read.edges).toEqual([
        { type: 'runs-on', pod: POD, node: 'Node/worker-5' },
        { type: 'alias', alias: `uid:${UID}`, entity: POD },
      ]);
      expect(read.coverage).toMatchObject([{ channel: 'pod-events', about: POD, extent: 'whole' }]);
      expect(read.left).toEqual([]);
    });
  }

  it('reads rows that somebody copied without their age', () => {
    const read = readText('Warning  FailedMount  kubelet  MountVolume.SetUp failed for volume "a" : no such host\n');
    expect(factsOf(read, 'pod.event', 'Pod/?/?')).toMatchObject([
      { type: 'Warning', reason: 'FailedMount', from: 'kubelet', message: 'MountVolume.SetUp failed for volume "a" : no such host' },
    ]);
  });

  it('hands every message on, with its level', () => {
    const { said } = readText(TABLE);
    expect(said).toHaveLength(7);
    expect(said[5]).toMatchObject({
      channel: 'pod-events',
      about: POD,
      text: 'Stopping container overlay',
      level: 'info',
      component: 'kubelet',
      count: 5,
    });
    expect(said[6]).toMatchObject({ level: 'warning', cited: { at: { lines: [10, 10] } } });
  });

  it('reads the node beside the source', () => {
    const read = readText('  Warning  Failed  7s (x3 over 31s)  kubelet, worker-7  Error: ErrImagePull', { pod: 'Pod/shop/web-0' });
    expect(read.edges).toEqual([{ type: 'runs-on', pod: 'Pod/shop/web-0', node: 'Node/worker-7' }]);
    expect(factsOf(read, 'pod.event')[0]).toMatchObject({ about: 'Pod/shop/web-0', from: 'kubelet', message: 'Error: ErrImagePull' });
    const collapsed = readText('Warning Failed 7s (x3 over 31s) kubelet, worker-7 Error: ErrImagePull', { pod: 'Pod/shop/web-0' });
    expect(collapsed.edges).toEqual(read.edges);
    expect(factsOf(collapsed, 'pod.event')[0]?.message).toBe('Error: ErrImagePull');
  });

  it('believes the rows more than what was typed before them', () => {
    const read = readText(TABLE, { pod: 'Pod/?/other', command: 'kubectl describe pod other' });
    expect(factsOf(read, 'pod.event').every((event) => event.about === POD)).toBe(true);
  });

  it('leaves rows of unknown owners with an unknown pod', () => {
    const read = readText('  Normal  Pulled  3m  kubelet  Container image "a:1" already present on machine');
    expect(factsOf(read, 'pod.event')[0]?.about).toBe('Pod/?/?');
  });

  it('keeps rows of several pods apart', () => {
    const other = UID.replace('6a', '7b');
    const read = readText(`Warning  BackOff  1s (x9 over 3m)  kubelet  Back-off restarting failed container a in pod one_shop(${UID})
Warning  BackOff  2s (x9 over 3m)  kubelet  Back-off restarting failed container b in pod two_shop(${other})
Warning  Unhealthy  2s (x9 over 3m)  kubelet  Readiness probe failed: HTTP probe failed with statuscode: 503`);
    expect(factsOf(read, 'pod.event').map(({ about }) => about)).toEqual(['Pod/shop/one', 'Pod/shop/two', 'Pod/?/?']);
    expect(read.coverage.every(({ extent }) => extent === 'excerpt')).toBe(true);
  });

  it('takes a part for a part', () => {
    const rows = TABLE.split('\n');
    expect(readText(rows.slice(8).join('\n')).coverage).toMatchObject([{ extent: 'excerpt' }]);
    expect(readText(TABLE, { command: 'kubectl describe pod overlay-agent-q8z4t | tail -8' }).coverage).toMatchObject([
      { extent: 'excerpt' },
    ]);
    expect(readText(`...\n${rows.slice(4).join('\n')}`).coverage).toMatchObject([{ extent: 'excerpt' }]);
  });

  it('joins messages of several lines', () => {
    const read = readText(`Events:
  Type     Reason       Age   From               Message
  ----     ------       ----  ----               -------
  Warning  FailedMount  21m   kubelet, worker-2  MountVolume.SetUp failed for volume "share" : mount failed: exit status 32
Mounting command: mount
Mounting arguments: -t nfs files.example:/share /mnt
Output: mount: /mnt: bad option; for several filesystems you might
       need a helper program.

       dmesg may have more information.
  Warning  FailedMount  3m (x4 over 9m)  kubelet  Unable to attach or mount volumes

So the mount does not work.`);
    const events = factsOf(read, 'pod.event');
    expect(events).toHaveLength(2);
    expect(events[0]?.message).toContain('exit status 32\nMounting command: mount\nMounting arguments');
    expect(events[0]?.message).toMatch(/dmesg may have more information\.$/);
    expect(linesOf(events[0])).toEqual([4, 10]);
    expect(read.left).toEqual(['So the mount does not work.']);
  });

  it('joins wrapped messages into one line', () => {
    const wrapped = readText(`Warning  FailedCreate  3m (x17 over 8m)  replicaset-controller  Error creating: \\
    failed calling webhook "inject.example": \\
    x509: certificate signed by unknown authority`);
    expect(factsOf(wrapped, 'object.event')[0]).toMatchObject({
      about: 'Workload/ReplicaSet/?/?',
      message: 'Error creating: failed calling webhook "inject.example": x509: certificate signed by unknown authority',
    });
  });

  it('does not swallow prose below the last row', () => {
    const read = readText(`${TABLE}\nLooking further, I found the driver.\n然后重启了节点。`);
    expect(read.left).toEqual(['Looking further, I found the driver.', '然后重启了节点。']);
  });

  it('reads the form of very old kubectl', () => {
    const read = readText(`Events:
  FirstSeen  LastSeen  Count  From                 SubobjectPath          Type     Reason       Message
  ---------  --------  -----  ----                 -------------          ----     ------       -------
  3h         2m        41     {kubelet minion-12}                         Warning  FailedMount  Unable to mount volumes for pod "db-0_shop(${UID})": timeout
                                                                                                expired waiting for volumes
  3h         3m        7      {kubelet minion-12}  spec.containers{db}    Normal   Pulled       Container image "db:1" already present on machine
  3h         3h        1      {default-scheduler }                        Normal   Scheduled    Successfully assigned db-0 to minion-12`);
    expect(factsOf(read, 'pod.event').map(saying)).toEqual([
      {
        about: 'Pod/shop/db-0',
        type: 'Warning',
        reason: 'FailedMount',
        message: `Unable to mount volumes for pod "db-0_shop(${UID})": timeout expired waiting for volumes`,
        count: 41,
        lastAgo: 120,
        firstAgo: 10_800,
        from: 'kubelet',
      },
      {
        about: 'Pod/shop/db-0',
        type: 'Normal',
        reason: 'Pulled',
        message: 'Container image "db:1" already present on machine',
        count: 7,
        lastAgo: 180,
        firstAgo: 10_800,
        from: 'kubelet',
        container: 'db',
      },
      {
        about: 'Pod/shop/db-0',
        type: 'Normal',
        reason: 'Scheduled',
        message: 'Successfully assigned db-0 to minion-12',
        count: 1,
        lastAgo: 10_800,
        firstAgo: 10_800,
        from: 'default-scheduler',
      },
    ]);
    expect(read.edges).toContainEqual({ type: 'runs-on', pod: 'Pod/shop/db-0', node: 'Node/minion-12' });
  });

  it('takes rows without a type for unknown ones, below their header only', () => {
    const text = '  Reason   Age  From     Message\n  ------   ---  ----     -------\n  Killing  5s   kubelet  Stopping container web';
    expect(factsOf(readText(text, { pod: 'Pod/shop/web-0' }), 'pod.event')[0]).toMatchObject({ type: 'Unknown', killedBy: 'stop' });
    expect(readText('Killing  5s   kubelet  Stopping container web').facts).toEqual([]);
  });

  it('keeps unknown and invalid ages out', () => {
    const read = readText(
      'Normal  Scheduled  <unknown>  default-scheduler  Successfully assigned shop/web-0 to worker-1\nNormal  Pulled  <invalid>  kubelet  Container image "a" already present on machine',
    );
    expect(factsOf(read, 'pod.event').map((event) => [event.lastAgo, event.count])).toEqual([
      [undefined, 1],
      [undefined, 1],
    ]);
  });

  it('gives events of nodes and claims to them', () => {
    const read = readText(`  Normal   Starting           59m  kubelet, worker-3            Starting kubelet.
  Normal   NodeReady          58m  kubelet                      Node worker-3 status is now: NodeReady
  Warning  ProvisioningFailed  6s  persistentvolume-controller  storageclass.storage.k8s.io "fast" not found`);
    expect(factsOf(read, 'node.event').map(({ about }) => about)).toEqual(['Node/worker-3', 'Node/worker-3']);
    expect(factsOf(read, 'object.event').map(({ about }) => about)).toEqual(['Object/PersistentVolumeClaim/?/?']);
    expect(read.said.map(({ channel }) => channel)).toEqual(['node-events', 'node-events', 'object-events']);
  });

  it('takes the owner from the command', () => {
    const row = '  Warning  FailedBuildModel  2m  ingress  no subnets';
    expect(factsOf(readText(row, { command: 'kubectl describe ing front -n shop' }), 'object.event')[0]?.about).toBe(
      'Object/Ingress/shop/front',
    );
    expect(factsOf(readText(row, { command: 'kubectl describe deploy front -n shop' }), 'object.event')[0]?.about).toBe(
      'Workload/Deployment/shop/front',
    );
  });

  it('does not take sentences for events', () => {
    const text = 'Normal operation resumed 5m later\nWarning: this is slow\nWarning events 3m apart\nNormal';
    expect(readText(text).facts).toEqual([]);
  });
});
