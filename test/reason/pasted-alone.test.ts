import { describe, expect, it } from 'vitest';
import { diagnose } from '../../src/diagnose.ts';

async function answers(text: string) {
  const { incidents } = await diagnose([{ name: 'paste.txt', text }]);
  return incidents.map(({ confidence, cause, title }) => ({ confidence, cause, title }));
}

describe('a message pasted without what stood around it', () => {
  it('is an answer in its own words where no cause knows it', async () => {
    expect(await answers('错误信息: Failed to turn the frobnicator: cannot lock shelf 7: the lamp is out of oil')).toEqual([
      { confidence: 'possible', cause: 'not-in-catalogue', title: 'what was pasted says: the lamp is out of oil' },
    ]);
  });

  it('is none where it is a setting, or the words of a person', async () => {
    expect(await answers('errors\nhealth {\n    lameduck 5s\n}\nfailurePolicy: Ignore\nonError: continue')).toEqual([]);
    expect(await answers('I think that it failed: the lamp is out of oil again, as it was in June')).toEqual([]);
  });

  it('is no manifest of the user where a daemon cannot read a file of its own', async () => {
    const daemon =
      'Mar 04 08:10:57 elm lampd[1085]: Error: open shelf.yaml store: error converting YAML to JSON: yaml: line 2: mapping values are not allowed in this context';
    expect((await answers(daemon)).map(({ cause }) => cause)).not.toContain('invalid-pod-template-rejected');
    const kubectl = `error: error parsing lamp.yaml: error converting YAML to JSON: yaml: line 2: mapping values are not allowed in this context`;
    expect(await answers(kubectl)).toMatchObject([{ cause: 'invalid-pod-template-rejected' }]);
  });

  it('is at most possible where it names no pod and every pod that is listed is well', async () => {
    const line =
      'Readiness probe failed: calico/node is not ready: BIRD is not ready: Error querying BIRD: unable to connect to BIRDv4 socket: dial unix /var/run/calico/bird.ctl: connect: connection refused\n';
    const listing = (last: string) => `
$ kubectl get pods -n kube-system
NAME                READY   STATUS    RESTARTS   AGE
calico-node-2wz4d   1/1     Running   0          12m
calico-node-9xk2q   1/1     Running   0          12m
calico-node-h4v7c   ${last}
`;
    const sure = async (text: string) => (await answers(text)).map(({ confidence }) => confidence);
    expect(await sure(line)).toContain('probable');
    expect(new Set(await sure(line + listing('1/1     Running   0          12m')))).toEqual(new Set(['possible']));
    expect(await sure(line + listing('0/1     Running   0          12m'))).not.toEqual(['possible']);
  });

  it('is none beside pods that are well', async () => {
    const pods = 'NAME    READY   STATUS    RESTARTS   AGE\nlamp-0   1/1     Running   0          4d';
    expect(await answers(`$ kubectl get pods\n${pods}\n\nfrobnicator: cannot lock shelf 7: the lamp is out of oil`)).toEqual([]);
  });

  it('is read whole where it was broken over lines', async () => {
    const wrapped = `lastState: terminated
message: 'failed to create containerd task: OCI runtime create failed: container_linux.go:345:
starting container process caused "process_linux.go:424: container init
caused \\"rootfs_linux.go:58: mounting \\\\\\"/var/lib/kubelet/pods/0b1c/volume-subpaths/lamp-config/lamp/0\\\\\\"
to rootfs \\\\\\"/run/containerd/io.containerd.runtime.v1.linux/k8s.io/5e6f/rootfs\\\\\\"
at \\\\\\"/run/containerd/io.containerd.runtime.v1.linux/k8s.io/5e6f/rootfs/etc/lamp.conf\\\\\\"
caused \\\\\\"no such file or directory\\\\\\"\\"": unknown'
`;
    expect(await answers(wrapped)).toMatchObject([{ cause: 'subpath-failure', confidence: 'probable' }]);
  });

  it('tells what a command printed rather than that it failed', async () => {
    const [first] = await answers(
      'level=fatal msg="Cannot light" error="unable to run \'wick -s\': exit status 1 stderr=\\"no wick of size 9 in the drawer\\"" subsys=lamp',
    );
    expect(first?.title).toContain('no wick of size 9 in the drawer');
  });

  it('is trouble of its own where it is a pull that failed', async () => {
    const failed =
      'failed to resolve reference "registry.example.net/lamp:3": failed to do request: Head "https://registry.example.net/v2/lamp/manifests/3": x509: certificate signed by unknown authority';
    const pulls = [
      `[root@fir-2 ~]# crictl pull registry.example.net/lamp:3\nFATA[2026-03-04T08:10:57.527331046Z] pulling image: rpc error: code = Unknown desc = ${failed}`,
      `Mar 04 08:10:57 fir-2 kubelet[812]: E0304 08:10:57.123456     812 remote_image.go:180] "PullImage from image service failed" err="rpc error: code = Unknown desc = ${failed.replaceAll('"', '\\"')}" image="registry.example.net/lamp:3"`,
      '[root@fir-2 ~]# docker pull registry.example.net/lamp:3\nError response from daemon: Get "https://registry.example.net/v2/": x509: certificate signed by unknown authority',
    ];
    for (const pull of pulls)
      expect(await answers(pull)).toMatchObject([{ cause: 'image-registry-tls-untrusted', title: expect.stringContaining('fir-2') }]);
  });

  it('is none where the log goes on without it', async () => {
    const journal = `Mar 04 08:10:57 fir-2 kubelet[812]: E0304 08:10:57.123456     812 remote_image.go:180] "PullImage from image service failed" err="rpc error: code = Unknown desc = failed to pull and unpack image \\"registry.example.net/lamp:3\\": failed to do request: Head \\"https://registry.example.net/v2/lamp/manifests/3\\": dial tcp 10.2.0.8:443: i/o timeout" image="registry.example.net/lamp:3"
${'Mar 04 08:31:02 fir-2 kubelet[812]: I0304 08:31:02.123456     812 kubelet.go:2400] "SyncLoop UPDATE" source="api" pods=["shop/lamp-0"]\n'.repeat(40)}`;
    expect((await answers(journal)).filter(({ confidence }) => confidence !== 'possible')).toEqual([]);
  });

  it('knows whose log a file is that a kubelet named', async () => {
    const line = '2026-03-04T08:10:57.573854496Z stderr F Error: unknown flag: --wick-length';
    const id = '0b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e';
    for (const path of [
      `/var/log/containers/kube-apiserver-fir-2_kube-system_kube-apiserver-${id}.log`,
      '/var/log/pods/kube-system_kube-apiserver-fir-2_0b1c2d3e4f5a6b7c/kube-apiserver/3.log',
    ])
      expect(await answers(`root@fir-2:~# cat ${path}\n${line}`)).toMatchObject([{ cause: 'apiserver-flag-or-manifest-error' }]);
  });
});

describe('trouble of the whole cluster', () => {
  it('is told as the effect of what is found at one node', async () => {
    const text = `$ kubectl top pod
Error from server (ServiceUnavailable): the server is currently unable to handle the request (get pods.metrics.k8s.io)
$ kubectl -n kube-system logs metrics-server-5d9c7b6f8-q2w4z
E0304 08:10:57.168158       1 scraper.go:140] "Failed to scrape node" err="Get \\"https://10.4.0.11:10250/metrics/resource\\": x509: cannot validate certificate for 10.4.0.11 because it doesn't contain any IP SANs" node="fir-2"
`;
    const { incidents } = await diagnose([{ name: 'paste.txt', text }]);
    expect(incidents.map(({ cause }) => cause)).toEqual(['kubelet-serving-cert-pending']);
    expect(incidents[0]?.chain.map(({ cause }) => cause)).toEqual(['aggregated-api-down']);
  });
});
