// A kubelet journal of any size from line shapes a kubelet prints, with a fixed seed: node bench/make-journal.mjs FILE MEGABYTES
import { closeSync, openSync, writeSync } from 'node:fs';

const [file, megabytes = '500'] = process.argv.slice(2);
let state = 42;
const random = (limit) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state % limit;
};
const hex = (length) => Array.from({ length }, () => random(16).toString(16)).join('');
const uid = () => `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`;
const pods = Array.from({ length: 110 }, (_, index) => ({
  name: `app${index}-${hex(10)}-${hex(5)}`,
  ns: ['shop', 'kube-system', 'jobs', 'mon'][index % 4],
  uid: uid(),
  id: hex(64),
}));
const pick = (list) => list[random(list.length)];

const quiet = [
  (p) => `I%t scope.go:117] "RemoveContainer" containerID="${p.id}"`,
  (p) =>
    `I%t kubelet.go:2447] "SyncLoop (PLEG): event for pod" pod="${p.ns}/${p.name}" event={"ID":"${p.uid}","Type":"ContainerStarted","Data":"${p.id}"}`,
  (p) => `I%t kubelet.go:2421] "SyncLoop UPDATE" source="api" pods=["${p.ns}/${p.name}"]`,
  (p) =>
    `I%t reconciler_common.go:245] "operationExecutor.VerifyControllerAttachedVolume started for volume \\"kube-api-access-${hex(5)}\\" (UniqueName: \\"kubernetes.io/projected/${p.uid}-kube-api-access\\") pod \\"${p.name}\\" (UID: \\"${p.uid}\\") " pod="${p.ns}/${p.name}"`,
  (p) =>
    `I%t operation_generator.go:721] "MountVolume.SetUp succeeded for volume \\"config\\" (UniqueName: \\"kubernetes.io/configmap/${p.uid}-config\\") pod \\"${p.name}\\" (UID: \\"${p.uid}\\") " pod="${p.ns}/${p.name}"`,
  (p) =>
    `I%t pod_startup_latency_tracker.go:104] "Observed pod startup duration" pod="${p.ns}/${p.name}" podStartSLOduration=${random(90)}.${random(999)} podStartE2EDuration="${random(90)}.${random(999)}s" podCreationTimestamp="2025-06-11 04:05:01 +0000 UTC"`,
  (p) => `I%t prober.go:107] "Probe succeeded" probeType="Liveness" pod="${p.ns}/${p.name}" podUID="${p.uid}" containerName="main"`,
  () => `W%t machine.go:65] Cannot read vendor id correctly, set empty.`,
  (p) => `I%t kubelet_getters.go:187] "Pod status updated" pod="${p.ns}/${p.name}" status="Running"`,
  () =>
    `I%t csi_plugin.go:113] kubernetes.io/csi: Trying to validate a new CSI Driver with name: disk.example.org endpoint: /var/lib/kubelet/plugins/disk/csi.sock versions: 1.0.0`,
];
const loud = [
  (p) =>
    `E%t pod_workers.go:1301] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"main\\" with CrashLoopBackOff: \\"back-off 5m0s restarting failed container=main pod=${p.name}_${p.ns}(${p.uid})\\"" pod="${p.ns}/${p.name}" podUID="${p.uid}"`,
  (p) =>
    `E%t kuberuntime_manager.go:1256] "Unhandled Error" err="container &Container{Name:main} start failed in pod ${p.name}_${p.ns}(${p.uid}): CreateContainerConfigError: configmap \\"settings\\" not found"`,
  () =>
    `E%t kubelet.go:2855] "Container runtime network not ready" networkReady="NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized"`,
  () =>
    `E%t kuberuntime_image.go:55] "Failed to pull image" err="failed to pull and unpack image \\"example.org/shop/app:9\\": failed to resolve reference \\"example.org/shop/app:9\\": example.org/shop/app:9: not found" image="example.org/shop/app:9"`,
];

const out = openSync(file, 'w');
const wanted = Number(megabytes) * 1024 * 1024;
let written = 0;
let seconds = 0;
let buffer = '';
while (written < wanted) {
  seconds += random(3) === 0 ? 1 : 0;
  const clock = new Date(Date.UTC(2025, 5, 11, 0, 0, seconds)).toISOString().slice(11, 19);
  const micros = String(random(1_000_000)).padStart(6, '0');
  const text = (random(1000) < 4 ? pick(loud) : pick(quiet))(pick(pods)).replace('%t', `0611 ${clock}.${micros}     914`);
  buffer += `Jun 11 ${clock} cedar-4 kubelet[914]: ${text}\n`;
  if (buffer.length > 1 << 20) {
    written += writeSync(out, buffer, null, 'latin1');
    buffer = '';
  }
}
closeSync(out);
