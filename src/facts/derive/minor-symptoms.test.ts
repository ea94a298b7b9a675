import { describe, expect, it } from 'vitest';
import { readDocuments } from '../../parse/read-documents.ts';
import { createFactBase } from '../fact-base.ts';
import { deriveFacts } from './index.ts';

async function symptomsOf(...texts: string[]): Promise<string[]> {
  const documents = texts.map((text, index) => {
    const bytes = new TextEncoder().encode(text);
    return { name: `${index}.txt`, size: bytes.length, bytes };
  });
  const { evidence } = await readDocuments(documents, [], {});
  const base = createFactBase(evidence);
  deriveFacts(base);
  const kinds = ['pod.symptom', 'node.symptom', 'object.symptom'] as const;
  return kinds.flatMap((kind) => base.all(kind).map(({ about, symptom }) => `${about} ${symptom}`));
}

const deployments = (row: string) => `NAME   READY   UP-TO-DATE   AVAILABLE   AGE\n${row}\n`;

describe('trouble that a listing shows', () => {
  it('of a workload without pods, or with too few', async () => {
    expect(await symptomsOf(deployments('web    0/3     0            0           14m'))).toEqual(['Workload/Deployment/?/web no-pods']);
    expect(await symptomsOf(deployments('web    1/3     3            1           14m'))).toEqual(['Workload/Deployment/?/web not-ready']);
    expect(await symptomsOf(deployments('web    3/3     3            3           14m'))).toEqual([]);
    expect(await symptomsOf(deployments('web    0/3     3            0           9s'))).toEqual([]);
    expect(await symptomsOf(deployments('web    0/0     0            0           9d'))).toEqual([]);
  });

  it('of a replica set is its deployment’s where that is listed too', async () => {
    const sets = 'NAME              DESIRED   CURRENT   READY   AGE\nweb-58b49b6655    3         0         0       14m\n';
    expect(await symptomsOf(sets)).toEqual(['Workload/ReplicaSet/?/web-58b49b6655 no-pods']);
    expect(await symptomsOf(deployments('web    0/3     0            0           14m'), sets)).toEqual([
      'Workload/Deployment/?/web no-pods',
    ]);
  });

  it('is left to the pods, nodes and errors where the evidence holds any', async () => {
    const short = deployments('web    0/1     1            0           14m');
    const pod =
      'NAME                   READY   STATUS             RESTARTS   AGE\nweb-58b49b6655-d5nzn   0/1     ImagePullBackOff   0          14m\n';
    expect(await symptomsOf(short, pod)).toEqual(['Pod/?/web-58b49b6655-d5nzn image-pull']);
    expect(await symptomsOf(short, '2024-05-02T09:11:12Z ERROR no route to the store\n')).toEqual([]);
  });

  it('of scalers without figures and services without endpoints, the latter where somebody asked for them', async () => {
    const scaler =
      'NAME   REFERENCE        TARGETS         MINPODS   MAXPODS   REPLICAS   AGE\nweb    Deployment/web   <unknown>/80%   2         10        2          2d\n';
    expect(await symptomsOf(scaler)).toEqual(['Object/HorizontalPodAutoscaler/?/web other-trouble']);
    expect(await symptomsOf(scaler.replace('<unknown>/80%', '12%/80%      '))).toEqual([]);
    const endpoints = 'NAME   ENDPOINTS   AGE\nweb    <none>      2d\n';
    expect(await symptomsOf(`$ kubectl get ep web\n${endpoints}`)).toEqual(['Object/Endpoints/?/web other-trouble']);
    expect(await symptomsOf(`$ kubectl get ep\n${endpoints}`)).toEqual([]);
  });
});

describe('trouble of objects', () => {
  it('of jobs that failed, but not of an old run that a cron job keeps', async () => {
    const job = (name: string, status: string, age: string) =>
      `NAME   STATUS   COMPLETIONS   DURATION   AGE\n${name}   ${status}   0/1   42m   ${age}\n`;
    expect(await symptomsOf(job('import', 'Failed', '42m'))).toEqual(['Workload/Job/?/import failed']);
    expect(await symptomsOf(job('import', 'Complete', '42m'))).toEqual([]);
    expect(await symptomsOf(job('tidy-28573920', 'Failed', '3d'))).toEqual([]);
  });

  it('of claims that wait for longer than binding takes', async () => {
    const claim = (age: string) =>
      `NAME   STATUS    VOLUME   CAPACITY   ACCESS MODES   STORAGECLASS   AGE\ndata   Pending                                      fast           ${age}\n`;
    expect(await symptomsOf(claim('5m'))).toEqual(['Object/PersistentVolumeClaim/?/data volume-pending']);
    expect(await symptomsOf(claim('3s'))).toEqual([]);
  });

  it('of an API server nobody reaches, and of etcd', async () => {
    expect(await symptomsOf('The connection to the server 10.1.1.5:6443 was refused - did you specify the right host or port?\n')).toEqual([
      'Node/? control-plane-down',
    ]);
    expect(await symptomsOf('The connection to the server localhost:8080 was refused - did you specify the right host or port?\n')).toEqual(
      [],
    );
    expect(await symptomsOf('https://10.1.1.3:2379 is unhealthy: failed to commit proposal: context deadline exceeded\n')).toEqual([
      'Object/EtcdMember/?/https://10.1.1.3:2379 control-plane-down',
    ]);
  });
});
