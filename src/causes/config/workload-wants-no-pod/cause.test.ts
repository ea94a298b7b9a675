import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const cron = (message: string, reason = 'FailedNeedsStart') =>
  `NAMESPACE   LAST SEEN   TYPE      REASON   OBJECT            MESSAGE\nops         12s         Warning   ${reason}   cronjob/nightly   ${message}\n`;

testCause(cause, {
  finds: {
    'the Job before still runs': {
      evidence: {
        'events.txt': cron('Not starting job because prior execution is running and concurrency policy is Forbid', 'JobAlreadyActive'),
      },
      confidence: 'probable',
    },
    'a start that was missed': {
      evidence: { 'events.txt': cron('Missed scheduled time to start a job: Tue, 04 Mar 2025 10:00:00 +0000', 'MissSchedule') },
      confidence: 'possible',
    },
    'too many missed starts': {
      evidence: {
        'events.txt': cron(
          'Cannot determine if job needs to be started: too many missed start time (> 100). Set or decrease .spec.startingDeadlineSeconds or check clock skew',
        ),
      },
      confidence: 'probable',
      cites: ['events.txt:2'],
    },
    'a schedule that cannot be read': {
      evidence: {
        'events.txt': cron('unparseable schedule: "0 25 * * *" : end of range (25) above maximum (23)', 'UnparseableCronJobSchedule'),
      },
      confidence: 'probable',
    },
    'the autoscaler is off': {
      evidence: {
        'events.txt':
          'NAMESPACE   LAST SEEN   TYPE      REASON            OBJECT                          MESSAGE\nops         12s         Warning   ScalingDisabled   horizontalpodautoscaler/panel   scaling is disabled since the replica count of the target is zero\n',
      },
      confidence: 'probable',
    },
    'a paused Deployment with none desired': {
      evidence: {
        'deploy.txt': `$ kubectl -n ops describe deploy panel
Name:                   panel
Namespace:              ops
Selector:               app=panel
Replicas:               0 desired | 0 updated | 0 total | 0 available | 0 unavailable
Conditions:
  Type           Status   Reason
  ----           ------   ------
  Progressing    Unknown  DeploymentPaused
`,
        'paste.txt': 'Replicas:               0 desired | 0 updated | 0 total | 0 available | 0 unavailable\n',
      },
      confidence: 'probable',
    },
    'a suspended Job': {
      evidence: {
        'events.txt':
          'NAMESPACE   LAST SEEN   TYPE     REASON      OBJECT        MESSAGE\nops         12s         Normal   Suspended   job/import    Job suspended\n',
        'jobs.txt':
          '$ kubectl -n ops get jobs\nNAME     STATUS      COMPLETIONS   DURATION   AGE\nimport   Suspended   0/1                      5m\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'creating pods fails': {
      evidence: {
        'deploy.txt': `$ kubectl -n ops describe deploy panel
Name:                   panel
Namespace:              ops
Conditions:
  Type           Status   Reason
  ----           ------   ------
  Progressing    Unknown  DeploymentPaused
Events:
  Type     Reason        Age   From                   Message
  ----     ------        ----  ----                   -------
  Warning  FailedCreate  9m    replicaset-controller  Error creating: pods "panel-x" is forbidden: exceeded quota: q
`,
      },
      by: 'refused',
    },
    'it has pods': {
      evidence: {
        'deployments.txt':
          '$ kubectl -n ops get deployments\nNAME    READY   UP-TO-DATE   AVAILABLE   AGE\npanel   2/2     2            2           9m\n',
        'deploy.txt': `$ kubectl -n ops describe deploy panel
Name:                   panel
Namespace:              ops
Events:
  Type     Reason           Age   From     Message
  ----     ------           ----  ----     -------
  Warning  ScalingDisabled  9m    hpa      scaling is disabled since the replica count of the target is zero
`,
      },
      by: 'hasPods',
    },
  },
  asks: {
    'the workload': {
      evidence: { 'paste.txt': 'scaling is disabled since the replica count of the target is zero\n' },
      for: 'workload',
    },
  },
});
