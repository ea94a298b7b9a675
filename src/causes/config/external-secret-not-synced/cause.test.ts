import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const listed = (status: string, ready = 'False') =>
  `NAMESPACE   NAME   STORE   REFRESH INTERVAL   STATUS              READY\norchard     till   vault   1h                 ${status}   ${ready}\n`;
const event = (message: string) =>
  `NAMESPACE   LAST SEEN   TYPE      REASON         OBJECT                MESSAGE\norchard     9s          Warning   UpdateFailed   externalsecret/till   ${message}\n`;
const log =
  '$ kubectl -n external-secrets logs external-secrets-5c9d8b7f6-r4m2k\n{"level":"error","ts":1741075857.1,"logger":"controllers.ClusterSecretStore","msg":"unable to validate store","clustersecretstore":"/vault","error":"could not get provider client: cannot get Kubernetes secret \\"vault-token\\": secrets \\"vault-token\\" not found"}\n';

testCause(cause, {
  finds: {
    'a store that cannot log in': { evidence: { 'log.txt': log }, confidence: 'certain' },
    'a store, as it is listed': {
      evidence: {
        'stores.txt': `NAME    AGE    STATUS                  CAPABILITIES   READY\nvault   5d2h   InvalidProviderConfig                  False\n\n${listed('SecretSyncedError')}`,
      },
      confidence: 'certain',
    },
    'a secret that is not there': {
      evidence: { 'events.txt': event('error processing spec.data[0] (key: orchard/till), err: Secret does not exist') },
      confidence: 'certain',
    },
    'an older version': {
      evidence: {
        'events.txt': event(
          'could not get secret data from provider: AccessDeniedException: User: arn:aws:sts::1 is not authorized to perform: secretsmanager:GetSecretValue',
        ),
      },
      confidence: 'certain',
    },
    'the list alone': { evidence: { 'secrets.txt': listed('SecretSyncedError') }, confidence: 'possible' },
  },
  rulesOut: {
    'the store works by now': {
      evidence: {
        'log.txt': log,
        'events.txt':
          'NAMESPACE   LAST SEEN   TYPE     REASON   OBJECT                     MESSAGE\n            9s          Normal   Valid    clustersecretstore/vault   store validated\n',
      },
      by: 'since',
    },
  },
  asks: { 'the stores': { evidence: { 'note.txt': 'could not get provider client: permission denied by vault\n' }, for: 'objects' } },
});
