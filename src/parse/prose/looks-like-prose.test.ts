import { describe, expect, it } from 'vitest';
import { looksLikeProse } from './looks-like-prose.ts';

describe('what people write', () => {
  it.each([
    'I get this error when I start the pod on the second node',
    'The kubelet on the new node is not ready and I do not know why',
    'After the reboot all of the pods are stuck in the same state as before',
    'We see this in the log of the node: connection refused',
    '升级之后所有的 Pod 都起不来了',
    '现象: 升级之后所有的 Pod 都起不来了',
    'После обновления поды не запускаются',
    '## What happened',
  ])('%s', (line) => {
    expect(looksLikeProse(line)).toBe(true);
  });
});

describe('what programs print', () => {
  it.each([
    'Error creating: pods "web-1" is forbidden: exceeded quota: compute, requested: limits.cpu=1, used: limits.cpu=4, limited: limits.cpu=4',
    'Message: Pod was terminated in response to imminent node shutdown.',
    'kernel:unregister_netdevice: waiting for lo to become free. Usage count = 1',
    "iptables v1.6.0: can't initialize iptables table `nat': Permission denied (you must be root)",
    '-bash: cannot create temp file for here-document: No space left on device',
    'Failed to connect to bus: Connection refused',
    'mount.nfs: rpc.statd is not running but is required for remote locking.',
    'mount error(115): Operation now in progress',
    'Bound claim has lost its PersistentVolume. Data on the volume is lost!',
    'Pod was active on the node longer than the specified deadline',
    'modprobe: FATAL: Module nbd not found in directory of the kernel',
    'AttachVolume.Attach failed for volume x : timed out waiting for external-attacher of the driver',
    'MountVolume.SetUp failed for volume "data" : mount failed: exit status 32',
    '报错信息：Failed to open the lamp of the shelf: it is out of oil',
    'Ошибка: Failed to open the lamp of the shelf: it is out of oil',
    'unable to recognize "web.yaml": no matches for kind "Deployment" in version "extensions/v1beta1"',
  ])('%s', (line) => {
    expect(looksLikeProse(line)).toBe(false);
  });
});
