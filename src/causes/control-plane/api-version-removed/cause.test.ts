import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const helm =
  'Error: UPGRADE FAILED: unable to build kubernetes objects from current release manifest: resource mapping not found for name: "ledger" namespace: "books" from "": no matches for kind "PodDisruptionBudget" in version "policy/v1beta1"\nensure CRDs are installed first\n';

testCause(cause, {
  finds: {
    'a program that is newer than the cluster': {
      evidence: {
        'scheduler.log':
          'E0304 08:10:57.434239       1 reflector.go:138] k8s.io/client-go/informers/factory.go:134: Failed to watch *v1.CSIStorageCapacity: failed to list *v1.CSIStorageCapacity: the server could not find the requested resource\n',
      },
      confidence: 'certain',
    },
    Helm: { evidence: { 'terminal.txt': helm }, confidence: 'certain', cites: ['terminal.txt:1'] },
    'kubectl of old': {
      evidence: {
        'terminal.txt': 'error: unable to recognize "ledger.yaml": no matches for kind "Deployment" in version "extensions/v1beta1"\n',
      },
      confidence: 'certain',
    },
    'a program with an old client': {
      evidence: {
        'ingress.log':
          '$ kubectl -n edge logs proxy-6c8d7b9f5d-t5w2x\nE0304 08:10:57.118402       1 reflector.go:138] k8s.io/client-go/informers/factory.go:134: Failed to watch *v1beta1.Ingress: failed to list *v1beta1.Ingress: the server could not find the requested resource (get ingresses.networking.k8s.io)\n',
      },
      confidence: 'certain',
      place: 'Deployment edge/proxy',
    },
    'warned of before': {
      evidence: {
        'terminal.txt': `Warning: policy/v1beta1 PodDisruptionBudget is deprecated in v1.21+, unavailable in v1.25+; use policy/v1 PodDisruptionBudget\n${helm}`,
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'a warning only': {
      evidence: {
        'terminal.txt':
          '$ kubectl apply -f job.yaml\nWarning: batch/v1beta1 CronJob is deprecated in v1.21+, unavailable in v1.25+; use batch/v1 CronJob\n',
      },
      by: 'refused',
    },
    'no server': {
      evidence: {
        'terminal.txt':
          '$ kubectl apply -f ledger.yaml\nerror: no matches for kind "Deployment" in version "extensions/v1beta1"\nUnable to connect to the server: dial tcp 10.4.0.10:6443: i/o timeout\n',
      },
      by: 'noServer',
    },
  },
  asks: { 'the log of the program': { evidence: { 'terminal.txt': helm }, for: 'objects' } },
});
