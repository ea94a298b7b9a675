import { describe, expect, it } from 'vitest';
import { diagnose } from '../../diagnose.ts';

/** As a node with disagreeing cgroup drivers leaves its pods: ended well, started again, once so far. */
const pods = (age: string) => `$ kubectl get pods -n harbour -o wide
NAME                       READY   STATUS      RESTARTS   AGE     IP           NODE    NOMINATED NODE   READINESS GATES
buoy-6f64f4595b-kdcwm      0/1     Completed   1          ${age}   10.244.3.7   pier-4   <none>           <none>
`;

const description = (stops: readonly string[]) => `
$ kubectl describe pod buoy-6f64f4595b-kdcwm -n harbour
Name:             buoy-6f64f4595b-kdcwm
Namespace:        harbour
Node:             pier-4/10.77.0.21
Status:           Running
Controlled By:    ReplicaSet/buoy-6f64f4595b
Containers:
  web:
    Image:          example.org/harbour/buoy:1
    State:          Terminated
      Reason:       Completed
      Exit Code:    0
    Ready:          False
    Restart Count:  1
Events:
  Type    Reason          Age                    From               Message
  ----    ------          ----                   ----               -------
  Normal  Scheduled       4m25s                  default-scheduler  Successfully assigned harbour/buoy-6f64f4595b-kdcwm to pier-4
  Normal  Started         2m39s (x2 over 3m12s)  kubelet            Started container web
${stops.join('\n')}
`;

const listing = `
$ kubectl get events -n harbour
LAST SEEN   TYPE     REASON           OBJECT                        MESSAGE
72s         Normal   Killing          pod/buoy-6f64f4595b-kdcwm     Stopping container web
8s          Normal   SandboxChanged   pod/buoy-6f64f4595b-kdcwm     Pod sandbox changed, it will be killed and re-created.
`;

const fresh = [
  '  Normal  Killing         71s (x2 over 3m11s)    kubelet            Stopping container web',
  '  Normal  SandboxChanged  6s (x2 over 2m51s)     kubelet            Pod sandbox changed, it will be killed and re-created.',
];
const config = 'version = 2\n[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]\n  SystemdCgroup = false\n';
const kubelet = 'kind: KubeletConfiguration\ncgroupDriver: systemd\n';

async function incidentsOf(terminal: string) {
  const documents = [
    { name: 'terminal.txt', text: terminal },
    { name: 'config.toml', text: config },
    { name: 'kubelet.yaml', text: kubelet },
  ];
  return (await diagnose(documents)).incidents;
}

describe('a pod that the kubelet stops again and again', () => {
  it('is a victim while its container has just ended well, after one restart', async () => {
    const [incident] = await incidentsOf(pods('4m41s') + description(fresh));
    expect(incident?.cause).toBe('cgroup-driver-kubelet-systemd-runtime-cgroupfs');
    expect(incident?.victimCount).toBe(1);
  });

  it('is counted once though its events stand in the description and in a listing', async () => {
    const [incident] = await incidentsOf(pods('4m41s') + description(fresh) + listing);
    const words = incident?.because.map(({ says }) => says).join('\n');
    expect(words).toContain('Killing x2, SandboxChanged x2');
  });

  it('shows no symptom when it runs and all of that was an hour ago', async () => {
    const well = `$ kubectl get pods -n harbour -o wide
NAME                       READY   STATUS    RESTARTS      AGE    IP           NODE     NOMINATED NODE   READINESS GATES
buoy-6f64f4595b-kdcwm      1/1     Running   2 (70m ago)   120m   10.244.3.7   pier-4   <none>           <none>
`;
    const events = `
$ kubectl get events -n harbour
LAST SEEN   TYPE     REASON           OBJECT                      MESSAGE
71m         Normal   Killing          pod/buoy-6f64f4595b-kdcwm   Stopping container web
75m         Normal   Killing          pod/buoy-6f64f4595b-kdcwm   Stopping container web
70m         Normal   SandboxChanged   pod/buoy-6f64f4595b-kdcwm   Pod sandbox changed, it will be killed and re-created.
74m         Normal   SandboxChanged   pod/buoy-6f64f4595b-kdcwm   Pod sandbox changed, it will be killed and re-created.
`;
    const victims = (await incidentsOf(well + events)).flatMap((incident) => incident.victims);
    expect(victims.flatMap(({ symptoms }) => symptoms)).toEqual([]);
  });
});
