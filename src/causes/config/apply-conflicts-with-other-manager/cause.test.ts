import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const said = (words: string) => `$ kubectl apply --server-side -f till.yaml\nerror: ${words}\n`;
const old = said(
  'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using apps/v1: .spec.template.spec.containers[name="till"].image\nPlease review the fields above--they currently have other managers. Here\nare the ways you can resolve this warning:',
);

testCause(cause, {
  finds: {
    'an earlier kubectl': { evidence: { 'terminal.txt': old }, confidence: 'certain' },
    'a controller': {
      evidence: {
        'terminal.txt': said(
          'Apply failed with 1 conflict: conflict with "kube-controller-manager" with subresource "scale": .spec.replicas',
        ),
      },
      confidence: 'certain',
    },
    several: {
      evidence: {
        'terminal.txt': said('Apply failed with 4 conflicts: conflicts with "helm" using apps/v1:\n- .spec.template.spec.containers'),
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'applied since': {
      evidence: {
        'terminal.txt': `${old}$ kubectl apply --server-side --force-conflicts -f till.yaml\ndeployment.apps/till serverside-applied\n`,
      },
      by: 'forced',
    },
  },
  asks: {
    'what kubectl says': {
      evidence: { 'note.txt': 'Apply failed with 1 conflict: conflict with "helm" using v1: .data\n' },
      for: 'objects',
    },
  },
});
