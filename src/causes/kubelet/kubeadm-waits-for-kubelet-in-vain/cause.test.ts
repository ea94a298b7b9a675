import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const waits = `[root@alder ~]# kubeadm init
[preflight] Running pre-flight checks
\t[WARNING IsDockerSystemdCheck]: detected "cgroupfs" as the Docker cgroup driver. The recommended driver is "systemd".
\t[WARNING Swap]: swap is enabled; production deployments should disable swap unless testing the NodeSwap feature gate of the kubelet
[wait-control-plane] Waiting for the kubelet to boot up the control plane as static Pods from directory "/etc/kubernetes/manifests". This can take up to 4m0s
[kubelet-check] Initial timeout of 40s passed.
[kubelet-check] It seems like the kubelet isn't running or healthy.
[kubelet-check] The HTTP call equal to 'curl -sSL http://localhost:10248/healthz' failed with error: Get "http://localhost:10248/healthz": dial tcp [::1]:10248: connect: connection refused.
`;

testCause(cause, {
  finds: {
    'minikube waits likewise': {
      evidence: {
        'start.txt':
          '$ minikube start\n❌  Exiting due to K8S_KUBELET_NOT_RUNNING: wait: /bin/bash -c "sudo kubeadm init --config /var/tmp/minikube/kubeadm.yaml": Process exited with status 1\n',
      },
      confidence: 'possible',
    },
    'kind waits likewise': {
      evidence: {
        'create.txt':
          '$ kind create cluster\nERROR: failed to create cluster: failed to init node with kubeadm: command "docker exec --privileged kind-control-plane kubeadm init --config=/kind/kubeadm.conf" failed with error: exit status 1\n',
      },
      confidence: 'possible',
    },
    'nobody has the address of the endpoint': {
      evidence: {
        'init.txt':
          'I0304 08:10:57.318730   42448 round_trippers.go:560] "HTTP Trace: Dial failed" network="tcp" address="10.7.0.2:6443" err="dial tcp 10.7.0.2:6443: connect: no route to host"\n[api-check] The API server is not healthy after 4m0.000666996s\n',
      },
      confidence: 'possible',
    },
    'the control plane does not come up': {
      evidence: {
        'init.txt': waits,
      },
      confidence: 'possible',
      place: 'node alder',
    },
    'the node does not register': {
      evidence: {
        'join.txt': 'error: error execution phase kubelet-start: error uploading crisocket: timed out waiting for the condition\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'it worked in the end': {
      evidence: { 'init.txt': `${waits}Your Kubernetes control-plane has initialized successfully!\n` },
      by: 'worked',
    },
  },
  asks: {
    'the journal of the kubelet': { evidence: { 'init.txt': waits.slice(0, waits.indexOf('[kubelet-check] It')) }, for: 'kubelet-log' },
  },
});
