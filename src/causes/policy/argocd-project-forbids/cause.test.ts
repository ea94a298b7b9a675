import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const app = (message: string, type = 'InvalidSpecError') => ({
  evidence: {
    'app.txt': `Name:         quince\nNamespace:    argocd\nAPI Version:  argoproj.io/v1alpha1\nKind:         Application\nStatus:\n  Conditions:\n    Message:               ${message}\n    Type:                  ${type}\n`,
  },
  confidence: 'certain' as const,
});
const kind = "resource :Namespace is not permitted in project 'orchard'";

testCause(cause, {
  finds: {
    'a destination that is not listed': app(
      "application destination server 'https://kubernetes.default.svc' and namespace 'quince' do not match any of the allowed destinations in project 'orchard'",
    ),
    'the same in an older version': app("application destination {https://10.4.0.1:6443 quince} is not permitted in project 'orchard'"),
    'a kind without a namespace': app(kind, 'SyncError'),
    'a repository': app("application repo https://git.example/quince is not permitted in project 'orchard'"),
    'no such project': app('Application referencing project orchard which does not exist'),
    'a token that may not': {
      evidence: {
        'terminal.txt':
          '$ argocd app sync quince\nFATA[0000] rpc error: code = PermissionDenied desc = permission denied: applications, sync, orchard/quince, sub: proj:orchard:ci, iat: 2025-03-01T10:00:00Z\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'synced since': {
      evidence: { 'terminal.txt': `$ argocd app get quince\nSync Status:        Synced to main (4f1a2bc)\n\nearlier: ${kind}\n` },
      by: 'since',
    },
  },
  asks: {
    'what Argo CD says': {
      evidence: {
        'terminal.txt': `${kind}
`,
      },
      for: 'objects',
    },
  },
});
