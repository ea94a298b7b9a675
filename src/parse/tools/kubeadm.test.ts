import { describe, expect, it } from 'vitest';
import { errorsIn, payloadsOf, readTool } from './testing-read.ts';

const PREFLIGHT = `[init] Using Kubernetes version: v1.29.3
[preflight] Running pre-flight checks
\t[WARNING Hostname]: hostname "cp-1" could not be reached
error execution phase preflight: [preflight] Some fatal errors occurred:
\t[ERROR Swap]: running with swap on is not supported. Please disable swap
\t[ERROR ImagePull]: failed to pull image registry.example/pause:3.9: output: E0502 09:11:12.111111    2222 remote_image.go:171] PullImage from image service failed
time="2024-05-02T09:11:12Z" level=fatal msg="pulling image: no route to host"
, error: exit status 1
[preflight] If you know what you are doing, you can make a check non-fatal with \`--ignore-preflight-errors=...\`
To see the stack trace of this error execute with --v=5 or higher`;

const TIMEOUT = `[wait-control-plane] Waiting for the kubelet to boot up the control plane as static Pods
[kubelet-check] Initial timeout of 40s passed.
[kubelet-check] The HTTP call equal to 'curl -sSL http://localhost:10248/healthz' failed with error: Get "http://localhost:10248/healthz": dial tcp 127.0.0.1:10248: connect: connection refused.

\tUnfortunately, an error has occurred:
\t\ttimed out waiting for the condition

\tThis error is likely caused by:
\t\t- The kubelet is not running

error execution phase wait-control-plane: couldn't initialize a Kubernetes cluster`;

describe('kubeadm', () => {
  it('tells each failed check with all it printed, on the host of the prompt', () => {
    const read = readTool(PREFLIGHT, { command: 'kubeadm init', node: 'Node/cp-1' });
    expect(errorsIn(read)).toEqual([
      '[ERROR Swap]: running with swap on is not supported. Please disable swap',
      expect.stringMatching(/^\[ERROR ImagePull\]: failed to pull[\s\S]*no route to host", error: exit status 1$/),
    ]);
    expect(read.said.every(({ channel, about }) => channel === 'kubeadm-output' && about === 'Node/cp-1')).toBe(true);
    expect(read.said.at(-3)?.cited.at.lines).toEqual([6, 8]);
    expect(read.coverage).toMatchObject([{ channel: 'kubeadm-output', about: 'Node/cp-1', extent: 'whole' }]);
    expect(read.left).toEqual([]);
  });

  it('reads a check that was broken behind its name', () => {
    const read = readTool(
      '[ERROR FileContent--proc-sys-net-ipv4-ip_forward]:\n/proc/sys/net/ipv4/ip_forward contents are not set to 1\n',
      {},
    );
    expect(errorsIn(read)).toEqual([
      '[ERROR FileContent--proc-sys-net-ipv4-ip_forward]: /proc/sys/net/ipv4/ip_forward contents are not set to 1',
    ]);
    expect(read.said[0]?.cited.at.lines).toEqual([1, 2]);
    expect(read.left).toEqual([]);
  });

  it('needs no prompt', () => {
    const read = readTool(PREFLIGHT);
    expect(errorsIn(read)).toHaveLength(2);
    expect(read.coverage).toMatchObject([{ about: 'Node/?', extent: 'excerpt' }]);
    expect(readTool('\t[ERROR Port-6443]: Port 6443 is in use').said).toMatchObject([{ level: 'error' }]);
  });

  it.each([
    "Found multiple CRI endpoints on the host. Please define which one do you wish to use by setting the 'criSocket' field in the kubeadm configuration file: unix:///var/run/containerd/containerd.sock, unix:///var/run/cri-dockerd.sock",
    'this version of kubeadm only supports deploying clusters with the control plane version >= 1.27.0. Current version: v1.26.3',
    'your configuration file uses an old API spec: "kubeadm.k8s.io/v1beta1". Please use kubeadm v1.21 instead',
    'static Pod hash for component etcd on Node oak did not change after 5m0s: timed out waiting for the rest',
  ])('hears it when it does not even begin: %s', (line) => {
    expect(errorsIn(readTool(line))).toEqual([line]);
    expect(readTool(`${line}\nTo see the stack trace of this error execute with --v=5 or higher`).left).toEqual([]);
  });

  it('shows a kubelet that does not answer, once', () => {
    const read = readTool(TIMEOUT);
    expect(payloadsOf(read, 'node.symptom')).toEqual([['Node/?', { symptom: 'kubelet-down', detail: 'kubeadm gave up waiting' }]]);
    expect(errorsIn(read)).toEqual([expect.stringContaining('127.0.0.1:10248: connect: connection refused')]);
    expect(read.left).toEqual([]);
  });

  it('shows a control plane that does not come up', () => {
    const read = readTool('[control-plane-check] kube-apiserver is not healthy after 4m0.001s');
    expect(payloadsOf(read, 'node.symptom')).toMatchObject([['Node/?', { symptom: 'control-plane-down' }]]);
  });

  it('says nothing bad of a run that went well', () => {
    const read = readTool(
      '[preflight] Running pre-flight checks\n[certs] Generating "ca" certificate and key\n[addons] Applied essential addon: CoreDNS\n\nYour Kubernetes control-plane has initialized successfully!',
    );
    expect(errorsIn(read)).toEqual([]);
    expect(read.facts).toEqual([]);
  });

  it('leaves logs and configuration alone', () => {
    for (const text of [
      '[ERROR] plugin/errors: 2 example.org. A: i/o timeout',
      '[plugins."io.containerd"]',
      '[Service]',
      '[INFO] all well',
    ]) {
      expect(readTool(text).left).toEqual([text]);
    }
  });
});

describe('kubeadm certs check-expiration', () => {
  it('reads both tables', () => {
    const read = readTool(`CERTIFICATE                EXPIRES                  RESIDUAL TIME   CERTIFICATE AUTHORITY   EXTERNALLY MANAGED
admin.conf                 May 01, 2024 00:00 UTC   <invalid>       ca                      no
apiserver                  May 01, 2026 00:00 UTC   364d            ca                      no
!MISSING! scheduler.conf

CERTIFICATE AUTHORITY   EXPIRES                  RESIDUAL TIME   EXTERNALLY MANAGED
ca                      Apr 29, 2033 00:00 UTC   8y              no`);
    expect(payloadsOf(read, 'host.certificate')).toEqual([
      ['Node/?', { path: 'admin.conf', notAfter: Date.UTC(2024, 4, 1), expired: true }],
      ['Node/?', { path: 'apiserver', notAfter: Date.UTC(2026, 4, 1), expired: false }],
      ['Node/?', { path: 'ca', notAfter: Date.UTC(2033, 3, 29), expired: false }],
    ]);
    expect(read.said).toMatchObject([{ channel: 'kubeadm-output', level: 'error', text: expect.stringContaining('<invalid>') }]);
    expect(read.left).toEqual([]);
  });
});
