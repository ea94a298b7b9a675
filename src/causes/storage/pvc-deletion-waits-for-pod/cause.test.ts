import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const listing = `$ kubectl -n shop get pvc
NAME          STATUS        VOLUME     CAPACITY   ACCESS MODES   STORAGECLASS   AGE
data-ledger   Terminating   pv-shelf   5Gi        RWO            manual         2d
`;
const described = `$ kubectl -n shop describe pvc data-ledger
Name:          data-ledger
Namespace:     shop
StorageClass:  manual
Status:        Terminating (lasts 12m)
Volume:        pv-shelf
Finalizers:    [kubernetes.io/pvc-protection]
Used By:       ledger-0
Events:        <none>
`;

testCause(cause, {
  finds: {
    'a listing': {
      evidence: { 'pvc.txt': listing },
      confidence: 'possible',
      place: 'PersistentVolumeClaim shop/data-ledger',
      cites: ['pvc.txt:3'],
    },
    'listing and description': { evidence: { 'pvc.txt': listing, 'describe.txt': described }, confidence: 'possible' },
  },
  rulesOut: {
    'the namespace goes': {
      evidence: {
        'pvc.txt': `${listing.replace('kubectl -n shop get', 'kubectl -n shop get ns,')}$ kubectl get ns\nNAME   STATUS        AGE\nshop   Terminating   3d\n`,
      },
      by: 'namespace',
    },
  },
  asks: { 'the description': { evidence: { 'pvc.txt': listing }, for: 'objects' } },
});
