import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const kubectl =
  'error: resource mapping not found for name: "ledger" namespace: "books" from "ledger.yaml": no matches for kind "ServiceMonitor" in version "monitoring.coreos.com/v1"\nensure CRDs are installed first\n';
const log = (text: string) => `$ kubectl -n ops logs keeper-6c8d7b9f5d-t5w2x\n${text}\n`;

testCause(cause, {
  finds: {
    'Argo CD, of another cluster': {
      evidence: {
        'app.txt':
          'Name:         till\nNamespace:    argocd\nKind:         Application\nStatus:\n  Conditions:\n    Message:  The Kubernetes API could not find cert-manager.io/Certificate for requested resource ops/till-tls. Make sure the "Certificate" CRD is installed on the destination cluster.\n',
      },
      confidence: 'certain',
    },
    kubectl: { evidence: { 'terminal.txt': kubectl }, confidence: 'certain', cites: ['terminal.txt:1'] },
    'a controller that crashes': {
      evidence: {
        'keeper.log': log(
          '2025-03-04T08:10:57.118Z\tERROR\tcontroller-runtime.source.EventHandler\tif kind is a CRD, it should be installed before calling Start\t{"kind": "Certificate.cert-manager.io", "error": "no matches for kind \\"Certificate\\" in version \\"cert-manager.io/v1\\""}',
        ),
        'pods.txt':
          '$ kubectl -n ops get pods\nNAME                      READY   STATUS             RESTARTS        AGE\nkeeper-6c8d7b9f5d-t5w2x   0/1     CrashLoopBackOff   14 (2m1s ago)   51m\n',
      },
      confidence: 'certain',
      place: 'Deployment ops/keeper',
      victims: 1,
    },
    'the definition by name': {
      evidence: {
        'keeper.log': log(
          'E0304 08:10:57.118402       1 main.go:81] customresourcedefinitions.apiextensions.k8s.io "widgets.example.com" not found',
        ),
      },
      confidence: 'certain',
    },
    'the resource': {
      evidence: {
        'keeper.log': log(
          'E0304 08:10:57.118402       1 reflector.go:138] Failed to watch *v1.Widget: failed to list *v1.Widget: the server could not find the requested resource (get widgets.example.com)',
        ),
      },
      confidence: 'possible',
    },
    'a type that kubectl does not find': {
      evidence: { 'terminal.txt': '$ kubectl get certificates\nerror: the server doesn\'t have a resource type "certificates"\n' },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'no server': {
      evidence: { 'terminal.txt': `${kubectl}Unable to connect to the server: dial tcp 10.4.0.10:6443: i/o timeout\n` },
      by: 'noServer',
    },
  },
  asks: { 'the log of the controller': { evidence: { 'terminal.txt': kubectl }, for: 'objects' } },
});
