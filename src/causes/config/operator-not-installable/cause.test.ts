import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const subscription = (message: string) => ({
  evidence: {
    'subscription.txt': `Name:         quince\nNamespace:    orchard\nAPI Version:  operators.coreos.com/v1alpha1\nKind:         Subscription\nStatus:\n  Conditions:\n    Message:  ${message}\n    Reason:   ConstraintsNotSatisfiable\n    Status:   True\n    Type:     ResolutionFailed\n`,
  },
  confidence: 'certain' as const,
});
const noPackage =
  'constraints not satisfiable: no operators found in package quinces in the catalog referenced by subscription quince, subscription quince exists';

testCause(cause, {
  finds: {
    'requirements that are not met': {
      evidence: {
        'csv.txt':
          "Name:  pears.v1.2.0\nKind:  ClusterServiceVersion\nStatus:\n  Message:  one or more requirements couldn't be found\n  Phase:    Pending\n  Reason:   RequirementsNotMet\n",
      },
      confidence: 'possible',
    },
    'a package of another name': subscription(noPackage),
    'a version that stayed': subscription(
      'constraints not satisfiable: subscription quince exists, clusterserviceversion quince.v1.3.9 exists and is not referenced by a subscription',
    ),
    'two groups': subscription("csv created in namespace with multiple operatorgroups, can't pick one automatically"),
    'a mode it does not know': subscription('OwnNamespace InstallModeType not supported, cannot configure to watch own namespace'),
    'a bundle that cannot be pulled': subscription(
      'bundle unpacking failed. Reason: DeadlineExceeded, and Message: Job was active longer than specified deadline',
    ),
    'a catalog that is away': subscription(
      'error using catalogsource orchard/fruits: failed to list bundles: rpc error: code = Unavailable desc = connection error',
    ),
  },
  rulesOut: {
    'installed since': {
      evidence: {
        ...subscription(noPackage).evidence,
        'csv.txt': 'Name:  quince.v1.4.0\nKind:  ClusterServiceVersion\nStatus:\n  Message:  install strategy completed with no errors\n',
      },
      by: 'succeeded',
    },
  },
  asks: { 'the Subscription': { evidence: { 'note.txt': `${noPackage}\n` }, for: 'objects' } },
});
