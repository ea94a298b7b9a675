import { describe, expect, it } from 'vitest';
import { isNoise } from './noise.ts';
import { NOISE } from './noise-list.ts';

describe('isNoise', () => {
  it.each([
    'E0314 09:26:53.5    1893 kubelet.go:1511] "Image garbage collection failed once. Stats initialization may not have completed yet" err="invalid capacity 0 on image filesystem"',
    'W0314 09:26:53.5 1 reflector.go:347] watch of *v1.ConfigMap ended with: too old resource version: 41 (52)',
    'E0314 09:26:53.5 1 main.go:377] no subnet found for key: FLANNEL_IPV6_NETWORK in file: /run/flannel/subnet.env',
    'Warning DNSConfigForming kubelet Nameserver limits were exceeded, some nameservers have been omitted',
    'time="2025-03-14T09:26:58Z" level=warning msg="failed to load plugin io.containerd.snapshotter.v1.devmapper" error="devmapper not configured"',
    'http: TLS handshake error from 10.0.0.9:51234: EOF',
    'Flag --pod-infra-container-image has been deprecated, will be removed in a future release.',
    'E0314 09:26:53.5    1893 kubelet.go:2448] "Error getting node" err="node \\"node-a\\" not found"',
    'Default backend:  default-http-backend:80 (<error: endpoints "default-http-backend" not found>)',
    'w0314 CLIENT_CONFIG.GO] NEITHER --KUBECONFIG NOR --MASTER WAS SPECIFIED. using the inclusterconfig.',
  ])('knows %s', (text) => {
    expect(isNoise(text)).toMatch(/\w+ \w+/);
  });

  it.each([
    '"Skipping pod synchronization" err="[container runtime is down, PLEG is not healthy]"',
    'http: TLS handshake error from 10.0.0.9:51234: remote error: tls: bad certificate',
    'Error while processing event ("/sys/fs/cgroup/x"): inotify_add_watch: no space left on device',
    'Pulling Schema 1 images have been deprecated and disabled by default',
    '"Error getting node" err="Unauthorized"',
    'failed to load cni during init, please check CRI plugin status before setting up network for pods',
    'connection refused',
    '',
  ])('leaves %s', (text) => {
    expect(isNoise(text)).toBeUndefined();
  });

  it('gives every entry a reason', () => {
    for (const { says, reason } of NOISE) expect(`${says[0]}: ${reason}`).toMatch(/: \S.{15,}/);
    expect(NOISE.length).toBeGreaterThan(40);
  });
});
