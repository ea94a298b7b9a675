import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (reason: string, message: string) => `Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Normal   Scheduled    6m                default-scheduler  Successfully assigned vault/broker-58d7c9f6b-m4x7t to red-4
  Warning  ${reason.padEnd(11)}  9s (x11 over 6m)  kubelet            ${message}
`;
const byVolume = events('FailedMount', 'MountVolume.SetUp failed for volume "tls" : secret "broker-serving-cert" not found');
const pods = (state: string) => `NAMESPACE   NAME                     READY   STATUS    RESTARTS   AGE
vault       broker-58d7c9f6b-m4x7t   ${state}   0          6m
`;

testCause(cause, {
  finds: {
    'a certificate that was never issued': {
      evidence: { 'pods.txt': pods('0/1     ContainerCreating'), 'events.txt': byVolume },
      confidence: 'certain',
      place: 'Deployment vault/broker',
      cites: ['events.txt:5', 'pods.txt:2'],
      victims: 1,
    },
    'in the environment': {
      evidence: { 'events.txt': events('Failed', 'Error: secret "broker-login" not found') },
      confidence: 'certain',
      cites: ['events.txt:5'],
    },
    'through a CSI driver': {
      evidence: {
        'events.txt': events(
          'FailedMount',
          'MountVolume.SetUp failed for volume "data" : fetching NodePublishSecretRef vault/share-login failed: kubernetes.io/csi: failed to find the secret share-login in the namespace vault with error: secrets "share-login" not found',
        ),
      },
      confidence: 'certain',
    },
    'a driver that keeps the reason to itself': {
      evidence: {
        'events.txt': events('FailedMount', `MountVolume.SetUp failed for volume "share" : Couldn't get secret vault/share-login`),
      },
      confidence: 'possible',
      place: 'Deployment vault/broker',
    },
    "the kubelet's journal": {
      evidence: {
        'kubelet.log': `Nov 02 08:01:12 red-4 kubelet[911]: E1102 08:01:12.447705     911 pod_workers.go:1301] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"broker\\" with CreateContainerConfigError: \\"secret \\\\\\"broker-login\\\\\\" not found\\"" pod="vault/broker-58d7c9f6b-m4x7t" podUID="0b7e4f6a-51c1-4a52-9f0e-0a8c1f6f2f12"\n`,
      },
      confidence: 'certain',
      place: 'Deployment vault/broker',
    },
  },
  rulesOut: {
    'issued in the meantime': { evidence: { 'pods.txt': pods('1/1     Running'), 'events.txt': byVolume }, by: 'stuck' },
    'only a key is missing': {
      evidence: { 'events.txt': events('Failed', "Error: couldn't find key password in Secret vault/broker-login") },
      by: 'key',
    },
    'reading is forbidden': {
      evidence: {
        'events.txt': events(
          'FailedMount',
          'MountVolume.SetUp failed for volume "tls" : secrets "broker-serving-cert" is forbidden: User "system:node:red-4" cannot get resource "secrets" in API group "" in the namespace "vault"',
        ),
      },
      by: 'forbidden',
    },
  },
  asks: {
    'a listing alone': { evidence: { 'pods.txt': pods('0/1     ContainerCreating') }, for: 'pod-events' },
  },
});
