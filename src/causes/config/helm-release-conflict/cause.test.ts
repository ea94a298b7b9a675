import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const found = (words: string) => ({ evidence: { 'terminal.txt': `${words}\n` }, confidence: 'certain' as const });
const busy = 'Error: UPGRADE FAILED: another operation (install/upgrade/rollback) is in progress';

testCause(cause, {
  finds: {
    'a row that was left pending': {
      evidence: {
        'list.txt':
          '$ helm list -a\nNAME    NAMESPACE  REVISION  UPDATED                                  STATUS           CHART        APP VERSION\npears   orchard    3         2024-03-02 10:11:12.123 +0000 UTC        pending-upgrade  pears-1.2.0  1.2\n',
      },
      confidence: 'possible',
    },
    'a chart for a later version': {
      evidence: {
        'term.txt':
          '$ helm install carts shop/carts\nError: INSTALLATION FAILED: chart requires kubeVersion: >=1.25.0-0 which is incompatible with Kubernetes v1.23.17\n',
      },
      confidence: 'certain',
    },
    'a pipeline that was cut off': { ...found(busy), cites: ['terminal.txt:1'] },
    'an object of somebody else': found(
      'Error: INSTALLATION FAILED: Unable to continue with install: ConfigMap "till-settings" in namespace "shop" exists and cannot be imported into the current release: invalid ownership metadata; annotation validation error: missing key "meta.helm.sh/release-name": must be set to "till"',
    ),
    'a job of an earlier hook': found(
      'Error: failed pre-install: warning: Hook pre-install till/templates/migrate.yaml failed: jobs.batch "till-migrate" already exists',
    ),
    'a name that is taken': found('Error: INSTALLATION FAILED: cannot re-use a name that is still in use'),
    'a first installation that failed': found('Error: UPGRADE FAILED: "till" has no deployed releases'),
  },
  rulesOut: {
    'deployed since': {
      evidence: {
        'terminal.txt': `$ helm upgrade till ./till\n${busy}\n$ helm upgrade till ./till\nRelease "till" has been upgraded. Happy Helming!\n`,
      },
      by: 'deployed',
    },
  },
  asks: { 'what helm says': { evidence: { 'terminal.txt': `${busy}\n` }, for: 'objects' } },
});
