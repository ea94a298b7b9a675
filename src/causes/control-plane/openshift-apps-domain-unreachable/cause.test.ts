import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const head = 'NAME             VERSION   AVAILABLE   PROGRESSING   DEGRADED   SINCE   MESSAGE\n';
const login = (error: string) =>
  `$ oc get co\n${head}authentication   4.15.2    False       False         True       2h      OAuthServerRouteEndpointAccessibleControllerAvailable: Get "https://oauth-openshift.apps.orchard.example/healthz": ${error}\n`;

testCause(cause, {
  finds: {
    'no wildcard record': {
      evidence: { 'co.txt': login('dial tcp: lookup oauth-openshift.apps.orchard.example on 172.30.0.10:53: no such host') },
      confidence: 'certain',
      place: 'the cluster',
    },
    'the installer tells it': {
      evidence: {
        'install.log':
          'ERROR Cluster operator authentication Degraded is True with OAuthServerRouteEndpointAccessibleController_SyncError: OAuthServerRouteEndpointAccessibleControllerDegraded: Get "https://oauth-openshift.apps.orchard.example/healthz": dial tcp 10.4.0.9:443: connect: connection refused\n',
      },
      confidence: 'certain',
    },
    'the load balancer knows no router': { evidence: { 'co.txt': login('EOF') }, confidence: 'certain' },
    'no answer at all': {
      evidence: { 'co.txt': login('context deadline exceeded (Client.Timeout exceeded while awaiting headers)') },
      confidence: 'certain',
    },
    'a foreign certificate': { evidence: { 'co.txt': login('x509: certificate signed by unknown authority') }, confidence: 'certain' },
    'the canary, without a reason': {
      evidence: {
        'co.txt': `$ oc get co\n${head}ingress   4.15.2   True   False   True   2h   The "default" ingress controller reports Degraded=True: DegradedConditions: CanaryChecksSucceeding=False (CanaryChecksRepetitiveFailures: Canary route checks for the default ingress controller are failing)\n`,
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'no router runs': {
      evidence: {
        'install.log':
          'ERROR Cluster operator authentication Degraded is True with OAuthServerRouteEndpointAccessibleController_SyncError: OAuthServerRouteEndpointAccessibleControllerDegraded: Get "https://oauth-openshift.apps.orchard.example/healthz": EOF\nERROR ReadyIngressNodesAvailable: Authentication requires functional ingress which requires at least one schedulable and ready node. Got 0 worker nodes, 1 master nodes.\n',
      },
      by: 'noRouter',
    },
  },
  asks: {
    'the operators': {
      evidence: { 'note.txt': 'the canary says CanaryChecksRepetitiveFailures since this morning\n' },
      for: 'objects',
    },
  },
});
