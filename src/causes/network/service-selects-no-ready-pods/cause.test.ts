import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const described = (endpoints: string) => `$ kubectl -n shop describe service ledger
Name:              ledger
Namespace:         shop
Labels:            <none>
Annotations:       <none>
Selector:          app=ledgre
Type:              ClusterIP
IP:                10.96.44.7
Port:              <unset>  80/TCP
TargetPort:        8080/TCP
Endpoints:         ${endpoints}
Session Affinity:  None
Events:            <none>
`;

testCause(cause, {
  finds: {
    'labels that differ by a word': {
      evidence: {
        'service.yaml': `apiVersion: v1
kind: Service
metadata:
  name: cart
  namespace: shop
spec:
  selector:
    app: cart
    tier: back-end
  ports:
  - port: 80
`,
        'deployment.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: cart
  namespace: shop
spec:
  template:
    metadata:
      labels:
        app: cart
        tier: backend
    spec:
      containers:
      - name: cart
        image: reg.test/cart:1
`,
      },
      confidence: 'possible',
    },
    'a described Service': {
      evidence: { 'service.txt': described('<none>') },
      confidence: 'certain',
      place: 'Service shop/ledger',
      cites: ['service.txt:11'],
    },
    'a listing of its endpoints': {
      evidence: { 'endpoints.txt': '$ kubectl -n shop get endpoints ledger\nNAME     ENDPOINTS   AGE\nledger   <none>      15m\n' },
      confidence: 'possible',
    },
    'the API server says so': {
      evidence: {
        'proxy.txt':
          '$ kubectl get --raw /api/v1/namespaces/shop/services/ledger:80/proxy/\nError from server (ServiceUnavailable): no endpoints available for service "ledger:80"\n',
      },
      confidence: 'probable',
    },
    'one line, cut out': {
      evidence: { 'grep.txt': 'Endpoints:         <none>\n' },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'it has endpoints by now': {
      evidence: { 'service.txt': described('<none>'), 'later.txt': described('10.244.2.5:8080') },
      by: 'filled',
    },
  },
  asks: { 'the objects': { evidence: { 'grep.txt': 'Endpoints:         <none>\n' }, for: 'objects' } },
});
