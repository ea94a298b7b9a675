import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const listing = `$ kubectl -n shop get pods
NAME                    READY   STATUS             RESTARTS      AGE
cart-6c5d9f7b84-x2vkq   0/1     CrashLoopBackOff   5 (40s ago)   4m
`;

const describePod = (message: string) => `$ kubectl -n shop describe pod cart-6c5d9f7b84-x2vkq
Name:             cart-6c5d9f7b84-x2vkq
Namespace:        shop
Node:             worker-2/10.4.0.12
Status:           Running
IP:               10.244.1.8
Controlled By:    ReplicaSet/cart-6c5d9f7b84
Containers:
  cart:
    Container ID:  containerd://7d0f1e3a5b7c9d0f1e3a5b7c9d0f1e3a5b7c9d0f1e3a5b7c9d0f1e3a5b7c9d0f
    Image:         registry.example/shop/cart:4.1
    Port:          <none>
    Command:
      cart-serve
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       StartError
      Message:      ${message}
      Exit Code:    128
      Started:      Thu, 01 Jan 1970 00:00:00 +0000
      Finished:     Mon, 03 Mar 2025 10:12:13 +0000
    Ready:          False
    Restart Count:  5
    Environment:    <none>
Conditions:
  Type    Status
  Ready   False
QoS Class:       BestEffort
Events:
  Type     Reason     Age                   From               Message
  ----     ------     ----                  ----               -------
  Normal   Scheduled  4m1s                  default-scheduler  Successfully assigned shop/cart-6c5d9f7b84-x2vkq to worker-2
  Normal   Pulled     40s (x6 over 4m)      kubelet            Container image "registry.example/shop/cart:4.1" already present on machine
  Normal   Created    40s (x6 over 4m)      kubelet            Created container cart
  Warning  Failed     40s (x6 over 4m)      kubelet            Error: ${message}
  Warning  BackOff    9s (x18 over 3m58s)   kubelet            Back-off restarting failed container cart in pod cart-6c5d9f7b84-x2vkq_shop(0d8fd1b1-5a8a-4f35-9b1e-0c7b9a2a7d11)
`;

const runc =
  'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: exec: "cart-serve": executable file not found in $PATH: unknown';

const initDescribe = `Name:         seed-0
Namespace:    shop
Node:         worker-1/10.4.0.11
Status:       Pending
Init Containers:
  fetch:
    Image:         busybox:1.36
    Command:
      sh
      -c
      cd /work && hg clone https://hg.example/data
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       Error
      Exit Code:    127
      Started:      Mon, 03 Mar 2025 10:12:13 +0000
      Finished:     Mon, 03 Mar 2025 10:12:13 +0000
    Ready:          False
    Restart Count:  3
Containers:
  seed:
    Image:         registry.example/shop/seed:1
    State:          Waiting
      Reason:       PodInitializing
    Ready:          False
    Restart Count:  0
QoS Class:       BestEffort
Events:
  Type     Reason     Age                From               Message
  ----     ------     ----               ----               -------
  Normal   Scheduled  92s                default-scheduler  Successfully assigned shop/seed-0 to worker-1
  Normal   Created    48s (x4 over 90s)  kubelet            Created container fetch
  Normal   Started    48s (x4 over 90s)  kubelet            Started container fetch
  Warning  BackOff    9s (x8 over 89s)   kubelet            Back-off restarting failed container fetch in pod seed-0_shop(1d8fd1b1-5a8a-4f35-9b1e-0c7b9a2a7d12)
`;

testCause(cause, {
  finds: {
    'a program that tini shall start': {
      evidence: {
        'pods.txt': listing,
        'log.txt': '$ kubectl -n shop logs cart-6c5d9f7b84-x2vkq\n[FATAL tini (7)] exec cart-serve failed: No such file or directory\n',
      },
      confidence: 'certain',
    },
    'a program that dumb-init shall start': {
      evidence: {
        'pods.txt': listing,
        'log.txt': '$ kubectl -n shop logs cart-6c5d9f7b84-x2vkq\n[dumb-init] cart-serve: No such file or directory\n',
      },
      confidence: 'certain',
    },
    'a program that s6 shall start': {
      evidence: {
        'pods.txt': listing,
        'log.txt':
          '$ kubectl -n shop logs cart-6c5d9f7b84-x2vkq\ns6-overlay-suexec: fatal: unable to exec cart-serve: No such file or directory\n',
      },
      confidence: 'certain',
    },
    'a program for another user': {
      evidence: {
        'pods.txt': listing,
        'log.txt': '$ kubectl -n shop logs cart-6c5d9f7b84-x2vkq\nsu-exec: cart-serve: No such file or directory\n',
      },
      confidence: 'certain',
    },
    'a first process without a name': {
      evidence: {
        'pods.txt': listing,
        'log.txt': '$ kubectl -n shop logs cart-6c5d9f7b84-x2vkq\ncatatonit: failed to exec pid1: No such file or directory\n',
      },
      confidence: 'certain',
    },
    'a script that an older npm does not find': {
      evidence: { 'pods.txt': listing, 'log.txt': '$ kubectl -n shop logs cart-6c5d9f7b84-x2vkq\nnpm ERR! missing script: serve\n' },
      confidence: 'certain',
    },
    'a script that yarn does not find': {
      evidence: { 'pods.txt': listing, 'log.txt': '$ kubectl -n shop logs cart-6c5d9f7b84-x2vkq\nerror Command "serve" not found.\n' },
      confidence: 'certain',
    },
    'a script that package.json does not name': {
      evidence: { 'pods.txt': listing, 'log.txt': '$ kubectl -n shop logs cart-6c5d9f7b84-x2vkq\nnpm ERR! Missing script: "serve"\n' },
      confidence: 'certain',
    },
    'a jar without a class to start': {
      evidence: {
        'pods.txt': listing,
        'log.txt': '$ kubectl -n shop logs cart-6c5d9f7b84-x2vkq\nno main manifest attribute, in /srv/cart.jar\n',
      },
      confidence: 'certain',
    },
    '.NET': {
      evidence: {
        'pods.txt': listing,
        'log.txt': "$ kubectl -n shop logs cart-6c5d9f7b84-x2vkq\nThe application to execute does not exist: '/srv/Cart.dll'.\n",
      },
      confidence: 'certain',
    },
    'runc, not in $PATH': {
      evidence: { 'pods.txt': listing, 'describe.txt': describePod(runc) },
      confidence: 'certain',
      place: 'container cart of Deployment shop/cart',
      cites: ['describe.txt:19'],
      victims: 1,
    },
    'an absolute path that is not there, Docker': {
      evidence: {
        'describe.txt': describePod(
          'failed to start container "7d0f1e": Error response from daemon: OCI runtime create failed: container_linux.go:380: starting container process caused: exec: "/opt/cart/bin/serve": stat /opt/cart/bin/serve: no such file or directory: unknown',
        ),
      },
      confidence: 'certain',
      place: 'container cart of Deployment shop/cart',
    },
    'crun under CRI-O': {
      evidence: {
        'describe.txt': describePod('container create failed: executable file `cart-serve` not found in $PATH: No such file or directory'),
      },
      confidence: 'certain',
    },
    'the kubelet log alone': {
      evidence: {
        'kubelet.log': `Mar 03 10:12:13 worker-2 kubelet[871]: E0303 10:12:13.120001     871 pod_workers.go:1301] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"cart\\" with RunContainerError: \\"failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: \\\\\\"cart-serve\\\\\\": executable file not found in $PATH: unknown\\"" pod="shop/cart-6c5d9f7b84-x2vkq" podUID="0d8fd1b1-5a8a-4f35-9b1e-0c7b9a2a7d11"\n`,
      },
      confidence: 'probable',
      cites: ['kubelet.log:1'],
    },
    'python without its file': {
      evidence: {
        'pods.txt': listing,
        'terminal.txt':
          "$ kubectl -n shop logs cart-6c5d9f7b84-x2vkq\npython3: can't open file '/srv/cart/main.py': [Errno 2] No such file or directory\n",
      },
      confidence: 'certain',
      cites: ['terminal.txt:2'],
    },
    'a shell line with exit code 127, no log': {
      evidence: { 'describe.txt': initDescribe },
      confidence: 'probable',
      place: 'container fetch of StatefulSet shop/seed',
      cites: ['describe.txt:15', 'describe.txt:7'],
    },
    'a program that the program starts': {
      evidence: {
        'pods.txt': listing,
        'terminal.txt':
          '$ kubectl -n shop logs cart-6c5d9f7b84-x2vkq -c cart\nlevel=fatal msg="cannot convert" error="exec: \\"convert\\": executable file not found in $PATH"\n',
      },
      confidence: 'possible',
    },
    'the shell says so': {
      evidence: {
        'pods.txt': listing,
        'terminal.txt': '$ kubectl -n shop logs cart-6c5d9f7b84-x2vkq --previous\n/entrypoint.sh: line 14: envsubst: command not found\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'a failed start three days ago, well since': {
      evidence: {
        'pods.txt': `NAMESPACE   NAME                    READY   STATUS    RESTARTS      AGE
shop        cart-6c5d9f7b84-x2vkq   1/1     Running   2 (3d ago)    3d
`,
        'kubelet.log':
          'Mar 03 10:12:13 worker-2 kubelet[871]: E0303 10:12:13.120001     871 log.go:32] "StartContainer from runtime service failed" err="rpc error: code = Unknown desc = failed to create containerd task: OCI runtime create failed: exec: \\"cart-serve\\": executable file not found in $PATH: unknown" containerID="7d0f1e3a5b7c" pod="shop/cart-6c5d9f7b84-x2vkq"\n',
      },
      by: 'over',
    },
  },
  asks: {
    'the events, when only an exit code is known': {
      evidence: { 'describe.txt': initDescribe.slice(0, initDescribe.indexOf('QoS Class')) },
      for: 'pod-events',
    },
  },
});

describe('app-command-not-found and commands run in a container', () => {
  it.each([
    'Liveness probe errored: rpc error: code = Unknown desc = failed to exec in container: OCI runtime exec failed: exec failed: unable to start container process: exec: "curl": executable file not found in $PATH: unknown',
    'Error: failed to create containerd task: failed to create shim task: OCI runtime create failed: unable to retrieve OCI runtime error: exec: "nvidia-container-runtime": executable file not found in $PATH: unknown',
    'Error: failed to create containerd container: get apparmor_parser version: exec: "apparmor_parser": executable file not found in $PATH',
    'Exec lifecycle hook ([preload]) for Container "cart" in Pod "cart-6c5d9f7b84-x2vkq_shop" failed - error: exec: "preload": executable file not found in $PATH',
  ])('does not blame the command of the container: %s', async (message) => {
    const events = `$ kubectl -n shop describe pod cart-6c5d9f7b84-x2vkq
Events:
  Type     Reason     Age               From     Message
  ----     ------     ----              ----     -------
  Warning  Unhealthy  9s (x12 over 2m)  kubelet  ${message}
`;
    const { incidents } = await diagnose([{ name: 'events.txt', text: events }], { causes: [cause] });
    expect(incidents.map((incident) => incident.cause)).not.toContain(cause.id);
  });
});
