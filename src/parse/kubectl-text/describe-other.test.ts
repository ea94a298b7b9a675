import { describe, expect, it } from 'vitest';
import { factsOf, readText, saying } from './test-support.ts';

describe('kubectl describe of other objects', () => {
  it('reads a deployment, not the pod in its template', () => {
    const read = readText(`Name:                   web
Namespace:              shop
CreationTimestamp:      Tue, 05 Mar 2024 09:00:00 +0800
Labels:                 app=web
Annotations:            deployment.kubernetes.io/revision: 4
Selector:               app=web
Replicas:               3 desired | 2 updated | 4 total | 1 available | 3 unavailable
StrategyType:           RollingUpdate
MinReadySeconds:        0
Pod Template:
  Labels:  app=web
  Containers:
   web:
    Image:        registry.example/web:9
    Port:         <none>
    Environment:  <none>
    Mounts:       <none>
  Volumes:        <none>
Conditions:
  Type           Status  Reason
  ----           ------  ------
  Available      False   MinimumReplicasUnavailable
  Progressing    False   ProgressDeadlineExceeded
OldReplicaSets:  web-1 (2/2 replicas created)
NewReplicaSet:   web-2 (2/2 replicas created)
Events:
  Type    Reason             Age   From                   Message
  ----    ------             ----  ----                   -------
  Normal  ScalingReplicaSet  9m    deployment-controller  Scaled up replica set web-2 to 2`);
    const about = 'Workload/Deployment/shop/web';
    expect(factsOf(read, 'workload.replicas').map(saying)).toEqual([{ about, desired: 3, updated: 2, available: 1 }]);
    expect(factsOf(read, 'workload.condition').map(saying)).toEqual([
      { about, type: 'Available', status: 'False', reason: 'MinimumReplicasUnavailable' },
      { about, type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' },
    ]);
    expect(factsOf(read, 'object.event')[0]).toMatchObject({ about, reason: 'ScalingReplicaSet', from: 'deployment-controller' });
    expect(factsOf(read, 'container.spec')).toEqual([]);
    expect(read.left).toEqual([]);
    expect(read.coverage).toContainEqual(expect.objectContaining({ channel: 'workload', about, extent: 'whole' }));
  });

  it('reads replica sets and daemon sets', () => {
    const set = readText(
      'Name:           web-5d9c\nNamespace:      shop\nSelector:       app=web\nControlled By:  Deployment/web\nReplicas:       0 current / 1 desired\nPods Status:    0 Running / 0 Waiting / 0 Succeeded / 0 Failed\nConditions:\n  Type             Status  Reason\n  ----             ------  ------\n  ReplicaFailure   True    FailedCreate\nEvents:\n  Type     Reason        Age               From                   Message\n  ----     ------        ----              ----                   -------\n  Warning  FailedCreate  4s (x5 over 9s)   replicaset-controller  Error creating: pods "web-5d9c-" is forbidden: exceeded quota',
    );
    expect(factsOf(set, 'workload.replicas').map(saying)).toEqual([{ about: 'Workload/ReplicaSet/shop/web-5d9c', desired: 1 }]);
    expect(factsOf(set, 'workload.condition')[0]).toMatchObject({ type: 'ReplicaFailure', status: 'True' });
    expect(factsOf(set, 'object.event')[0]).toMatchObject({ about: 'Workload/ReplicaSet/shop/web-5d9c', count: 5 });
    const daemons = readText(
      'Name:           agent\nSelector:       app=agent\nNode-Selector:  <none>\nLabels:         app=agent\nDesired Number of Nodes Scheduled: 4\nCurrent Number of Nodes Scheduled: 4\nNumber of Nodes Scheduled with Up-to-date Pods: 3\nNumber of Nodes Scheduled with Available Pods: 2\nEvents:         <none>',
    );
    expect(factsOf(daemons, 'workload.replicas').map(saying)).toEqual([
      { about: 'Workload/DaemonSet/?/agent', desired: 4, updated: 3, available: 2 },
    ]);
  });

  it('reads claims, volumes and classes', () => {
    const claim = readText(
      'Name:          data\nNamespace:     shop\nStorageClass:  fast\nStatus:        Pending\nVolume:        \nLabels:        <none>\nCapacity:      \nAccess Modes:  \nUsed By:       db-0\nEvents:\n  Type     Reason              Age  From                         Message\n  ----     ------              ---  ----                         -------\n  Warning  ProvisioningFailed  6s   persistentvolume-controller  storageclass.storage.k8s.io "fast" not found',
    );
    const about = 'Object/PersistentVolumeClaim/shop/data';
    expect(factsOf(claim, 'object.status').map(saying)).toEqual([{ about, status: 'Pending', detail: 'StorageClass fast, Used By db-0' }]);
    expect(factsOf(claim, 'object.event')[0]).toMatchObject({ about, type: 'Warning', reason: 'ProvisioningFailed' });
    expect(claim.said).toMatchObject([{ channel: 'object-events', about }]);
    const volume = readText(
      'Name:            pv-01\nLabels:          <none>\nStorageClass:    slow\nStatus:          Released\nClaim:           shop/data\nReclaim Policy:  Retain',
    );
    expect(factsOf(volume, 'object.status').map(saying)).toEqual([
      { about: 'Object/PersistentVolume/?/pv-01', status: 'Released', detail: 'StorageClass slow, Claim shop/data' },
    ]);
    const storage = readText(
      'Name:            fast\nIsDefaultClass:  Yes\nAnnotations:     a=b\nProvisioner:     csi.disks.example\nEvents:          <none>',
    );
    expect(factsOf(storage, 'object.status').map(saying)).toEqual([{ about: 'Object/StorageClass/?/fast', status: 'default' }]);
  });

  it('hands on errors that an ingress shows', () => {
    const read = readText(
      'Name:             front\nLabels:           <none>\nNamespace:        shop\nAddress:          \nIngress Class:    nginx\nDefault backend:  <default>\nRules:\n  Host        Path  Backends\n  ----        ----  --------\n  *           \n              /   web:80 (<error: endpoints "web" not found>)\nEvents:           <none>',
    );
    expect(read.said).toMatchObject([
      { channel: 'objects', about: 'Object/Ingress/shop/front', text: '/   web:80 (<error: endpoints "web" not found>)' },
    ]);
    expect(read.left).toEqual([]);
  });

  it('reads objects of other groups by their own kind', () => {
    const read = readText(
      'Name:         front\nNamespace:    shop\nLabels:       <none>\nAPI Version:  batch/v1\nKind:         Job\nStatus:\n  Conditions:\n    Message:  it failed badly\nEvents:\n  Type     Reason   Age   From            Message\n  ----     ------   ----  ----            -------\n  Warning  TooMany  3m    job-controller  Job has reached the specified backoff limit',
    );
    expect(factsOf(read, 'object.event')[0]?.about).toBe('Workload/Job/shop/front');
    expect(read.said.map(({ text }) => text)).toEqual(['it failed badly', 'Job has reached the specified backoff limit']);
  });

  it('takes the kind from the command where no key tells', () => {
    const read = readText('Name:         settings\nNamespace:    shop\nLabels:       <none>\nAnnotations:  <none>', {
      command: 'kubectl describe cm settings -n shop',
    });
    expect(factsOf(read, 'object.exists').map(saying)).toEqual([{ about: 'Object/ConfigMap/shop/settings', type: 'ConfigMap' }]);
    expect(readText('Name:         settings\nNamespace:    shop\nLabels:       <none>').facts).toEqual([]);
  });

  it('leaves other lists of keys alone', () => {
    const text = 'Name: my laptop\nState: charged\nContainers: 5\n Running: 3\nServer Version: 24.0.7\nKernel Version: 6.1\nStatus: fine';
    expect(readText(text).facts).toEqual([]);
    expect(readText(text).pieces).toEqual([]);
    const machine = 'Name:           build-box\nState:          Running\nIPv4:           10.1.1.1\nRelease:        Some Linux';
    expect(readText(machine).pieces).toEqual([]);
    const engine =
      ' Name: build-box\n ID: ABCD:EFGH\n Docker Root Dir: /var/lib/docker\n Debug Mode: false\n Labels:\n Insecure Registries:';
    expect(readText(engine).pieces).toEqual([]);
    expect(readText('The job failed.\nExit Code: 1\nSee above.').pieces).toEqual([]);
  });
});
