import { describe, expect, it } from 'vitest';
import { factsOf, readText, saying } from './test-support.ts';

/** Lines that are only matched against what is known are left aside. */
function errorsOf(read: ReturnType<typeof readText>) {
  return read.said.filter(({ level }) => level !== 'info');
}

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
    expect(factsOf(claim, 'object.status').map(saying)).toEqual([
      { about, status: 'Pending', detail: 'StorageClass fast, Used By db-0', asked: true },
    ]);
    expect(factsOf(claim, 'object.event')[0]).toMatchObject({ about, type: 'Warning', reason: 'ProvisioningFailed' });
    expect(errorsOf(claim)).toMatchObject([{ channel: 'object-events', about }]);
    const volume = readText(
      'Name:            pv-01\nLabels:          <none>\nStorageClass:    slow\nStatus:          Released\nClaim:           shop/data\nReclaim Policy:  Retain',
    );
    expect(factsOf(volume, 'object.status').map(saying)).toEqual([
      { about: 'Object/PersistentVolume/?/pv-01', status: 'Released', detail: 'StorageClass slow, Claim shop/data', asked: true },
    ]);
    const storage = readText(
      'Name:            fast\nIsDefaultClass:  Yes\nAnnotations:     a=b\nProvisioner:     csi.disks.example\nEvents:          <none>',
    );
    expect(factsOf(storage, 'object.status').map(saying)).toEqual([
      { about: 'Object/StorageClass/?/fast', status: 'default', asked: true },
    ]);
  });

  it('hands on errors that an ingress shows', () => {
    const read = readText(
      'Name:             front\nLabels:           <none>\nNamespace:        shop\nAddress:          \nIngress Class:    nginx\nDefault backend:  <default>\nRules:\n  Host        Path  Backends\n  ----        ----  --------\n  *           \n              /   web:80 (<error: endpoints "web" not found>)\nEvents:           <none>',
    );
    expect(errorsOf(read)).toMatchObject([
      { channel: 'objects', about: 'Object/Ingress/shop/front', text: '/   web:80 (<error: endpoints "web" not found>)' },
    ]);
    expect(read.left).toEqual([]);
  });

  it('reads objects of other groups by their own kind', () => {
    const read = readText(
      'Name:         front\nNamespace:    shop\nLabels:       <none>\nAPI Version:  batch/v1\nKind:         Job\nStatus:\n  Conditions:\n    Message:  it failed badly\nEvents:\n  Type     Reason   Age   From            Message\n  ----     ------   ----  ----            -------\n  Warning  TooMany  3m    job-controller  Job has reached the specified backoff limit',
    );
    expect(factsOf(read, 'object.event')[0]?.about).toBe('Workload/Job/shop/front');
    expect(errorsOf(read).map(({ text }) => text)).toEqual(['it failed badly', 'Job has reached the specified backoff limit']);
  });

  it('shows the state of jobs, attachments, scalers and services', () => {
    const job = readText(
      'Name:           import\nNamespace:      shop\nLabels:         <none>\nParallelism:    1\nCompletions:    1\nPods Statuses:  0 Active (0 Ready) / 0 Succeeded / 7 Failed',
    );
    expect(factsOf(job, 'object.status')[0]).toMatchObject({ about: 'Workload/Job/shop/import', status: 'Failed' });
    const running = readText(
      'Name:           import\nNamespace:      shop\nLabels:         <none>\nCompletions:    1\nPods Statuses:  1 Running / 0 Succeeded / 2 Failed',
    );
    expect(factsOf(running, 'object.status')[0]?.status).toBe('Running');
    const attachment = readText(
      'Name:         csi-0f8b\nNamespace:\nLabels:       <none>\nAPI Version:  storage.k8s.io/v1\nKind:         VolumeAttachment\nSpec:\n  Attacher:   disks.example\n  Node Name:  worker-1\n  Source:\n    Persistent Volume Name:  pvc-1\nStatus:\n  Attach Error:\n    Message:  no such instance\n  Attached:   false',
    );
    expect(factsOf(attachment, 'object.status')[0]).toMatchObject({ status: 'false', detail: 'PV pvc-1, NODE worker-1' });
    expect(errorsOf(attachment).map(({ text }) => text)).toEqual(['no such instance']);
    const scaler = readText(
      'Name:       web\nNamespace:  shop\nReference:  Deployment/web\nMetrics:    ( current / target )\n  resource cpu on pods:  <unknown> / 80%\nMin replicas:  2',
    );
    expect(factsOf(scaler, 'object.status')[0]?.status).toBe('<unknown> / 80%');
    const service = readText(
      'Name:        web\nNamespace:   shop\nSelector:    app=wbe\nType:        ClusterIP\nTargetPort:  8080/TCP\nEndpoints:   <none>',
    );
    expect(factsOf(service, 'object.status')[0]).toMatchObject({ status: '<none>', detail: 'Selector app=wbe' });
  });

  it('reads objects of kinds of their own, by the group they belong to', () => {
    const certificate = readText(
      'Name:         web-tls\nNamespace:    shop\nLabels:       <none>\nAPI Version:  certs.example.io/v1\nKind:         Certificate\nSpec:\n  Issuer Ref:\n    Kind:  Issuer\nStatus:\n  Phase:  Failing\n  Conditions:\n    Message:  the secret does not exist\nEvents:\n  Type     Reason  Age  From     Message\n  ----     ------  ---  ----     -------\n  Warning  Failed  3m   issuing  order is in an errored state',
    );
    const about = 'Object/Certificate/shop/web-tls';
    expect(factsOf(certificate, 'object.status').map(saying)).toEqual([{ about, status: 'Failing', asked: true }]);
    expect(factsOf(certificate, 'object.event')[0]).toMatchObject({ about, reason: 'Failed' });
    expect(errorsOf(certificate).map(({ text }) => text)).toEqual(['the secret does not exist', 'order is in an errored state']);
    const service = readText(
      'Name:         web\nNamespace:    shop\nLabels:       <none>\nAPI Version:  serving.example.dev/v1\nKind:         Service',
    );
    expect(factsOf(service, 'object.exists')[0]?.about).toBe('Object/Service.serving.example.dev/shop/web');
    const unknown = readText(
      'Name:       x\nNamespace:  shop\nLabels:     <none>\nEvents:\n  Type     Reason  Age  From  Message\n  ----     ------  ---  ----  -------\n  Warning  Odd     3m   it    it went wrong',
    );
    expect(factsOf(unknown, 'object.event')[0]).toMatchObject({ about: 'Object/Object/shop/x', reason: 'Odd' });
  });

  it('reads what is used of a quota, and budgets and endpoints', () => {
    const quota = readText(
      'Name:       compute\nNamespace:  shop\nResource    Used  Hard\n--------    ----  ----\nlimits.cpu  3     8\npods        10    10',
    );
    expect(factsOf(quota, 'object.status').map(saying)).toEqual([
      { about: 'Object/ResourceQuota/shop/compute', status: 'full', detail: 'limits.cpu 3/8, pods 10/10' },
    ]);
    const budget = readText(
      'Name:           web\nNamespace:      shop\nMin available:  2\nStatus:\n    Allowed disruptions:  0\n    Current:              1',
      {
        command: 'kubectl describe pdb web',
      },
    );
    expect(factsOf(budget, 'object.status')[0]?.status).toBe('allowed disruptions 0');
    const endpoints = readText(
      'Name:         web\nNamespace:    shop\nLabels:       <none>\nSubsets:\n  Addresses:          <none>\n  NotReadyAddresses:  10.244.1.5',
    );
    expect(factsOf(endpoints, 'object.status')[0]).toMatchObject({ status: '<none>', detail: 'NotReadyAddresses 10.244.1.5' });
  });

  it('shows the services behind an ingress that have nothing to answer with', () => {
    const read = readText(
      'Name:             front\nNamespace:        shop\nDefault backend:  default-http-backend:80 (<error: endpoints "default-http-backend" not found>)\nRules:\n  Host  Path  Backends\n  ----  ----  --------\n  *\n        /a   gone:80 (<error: services "gone" not found>)\n        /b   idle:http (<none>)\n        /c   good:80 (10.1.1.3:80)',
    );
    expect(factsOf(read, 'object.missing').map(saying)).toEqual([{ about: 'Object/Service/shop/gone', type: 'Service' }]);
    expect(factsOf(read, 'object.status', 'Object/Service/shop/idle')[0]?.status).toBe('<none>');
    expect(factsOf(read, 'object.status', 'Object/Service/shop/good')).toEqual([]);
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
