/**
 * What the logs of a node look like, so that the scanner can tell rare stretches of a literal from common ones before it has
 * seen the text it will scan. The names are invented; what counts is the wording of stamps, fields, paths and usual messages.
 */
export const TYPICAL_TEXT = `
Mar 14 09:26:53 node-a kubelet[1893]: I0314 09:26:53.589793    1893 kubelet.go:2406] "SyncLoop (PLEG): event for pod" pod="shop/cart-6c9f7d5b8-x2klm" event={"ID":"0b7e5f5a-3c1d-4e8e-9d53-1f8a6b2c7d90","Type":"ContainerStarted","Data":"9c1185a5c5e9fc54612808977ee8f548b2258d31"}
E0314 pod_workers.go:1301] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"cart\\" with CrashLoopBackOff: \\"back-off 5m0s restarting failed container=cart pod=cart_shop(0b7e5f5a)\\"" podUID="0b7e5f5a"
W0314 reflector.go:547] k8s.io/client-go/informers/factory.go:160: failed to list *v1.Service: Get "https://10.0.0.10:6443/api/v1/services?limit=500&resourceVersion=0": dial tcp 10.0.0.10:6443: connect: connection refused
"operationExecutor.MountVolume started for volume \\"kube-api-access-7xw2q\\" (UniqueName: \\"kubernetes.io/projected/0b7e5f5a\\") pod (UID:
"Probe failed" probeType="Readiness" containerName="cart" probeResult="failure" output="context deadline exceeded (Client.Timeout exceeded while awaiting headers)" "RemoveContainer" containerID=
containerd[912]: time="2025-03-14T09:26:58.771234567Z" level=info msg="RunPodSandbox for &PodSandboxMetadata{Name:cart,Uid:0b7e5f5a,Namespace:shop,Attempt:0,} failed, error" level=error error="rpc error: code = Unknown desc = failed to setup network for sandbox: no such file or directory" returns successfully namespace=k8s.io level=warning
systemd[1]: kubelet.service: Main process exited, code=exited, status=1/FAILURE Started Scheduled restart job, restart counter is at 17. cri-containerd-9c1185a5.scope
kernel: [12345.678901] cni0: port 4(veth1a2b3c4d) entered forwarding state, link becomes ready
{"level":"error","ts":"2025-03-14T09:27:03.123Z","caller":"controller/controller.go:329","msg":"request took too long","namespace":"shop","name":"cart"}
Warning  FailedScheduling  3m (x12 over 10m)  default-scheduler  0/3 nodes are available: unable to find a suitable node for incoming pod
Failed to pull image "registry.example.com/shop/cart:1.4.2": failed to resolve reference: unexpected status, permission denied, not found, cannot connect
ERROR [main] com.example.shop.Application - Unable to start, java.lang.IllegalStateException: invalid configuration
`;
