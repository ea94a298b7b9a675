import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const described = (events: string) => `$ kubectl -n shop describe service web
Name:                     web
Namespace:                shop
Selector:                 app=web
Type:                     LoadBalancer
IP:                       10.96.68.17
Port:                     <unset>  80/TCP
Endpoints:                10.244.3.10:8080
Events:
  Type     Reason                  Age                From                Message
  ----     ------                  ----               ----                -------
${events}`;
const failed =
  '  Warning  SyncLoadBalancerFailed  55s (x3 over 2m)   service-controller  Error syncing load balancer: failed to ensure load balancer: could not find any suitable subnets for creating the ELB\n';
const listed =
  '$ kubectl -n shop get service web\nNAME   TYPE           CLUSTER-IP    EXTERNAL-IP   PORT(S)        AGE\nweb    LoadBalancer   10.96.68.17   <pending>     80:31234/TCP   15m\n';

testCause(cause, {
  finds: {
    'a row without its head': {
      evidence: { 'note.txt': 'till   LoadBalancer   10.96.4.4    <pending>     80:31234/TCP   12m\n' },
      confidence: 'possible',
    },
    'two security groups with the tag': {
      evidence: {
        'controller.log':
          '$ kubectl -n kube-system logs aws-load-balancer-controller-5d9c7b6f8-q2w4z\n{"level":"error","ts":"2025-03-04T08:10:57Z","msg":"Reconciler error","controller":"targetGroupBinding","error":"expected exactly one securityGroup tagged with kubernetes.io/cluster/shop for eni eni-0d1f, got: [sg-1 sg-2] (clusterName: shop)"}\n',
      },
      confidence: 'probable',
    },
    'MetalLB with pools that overlap': {
      evidence: {
        'controller.log':
          '$ kubectl -n metallb-system logs controller-5d9c7b6f8-q2w4z\n{"caller":"main.go:50","event":"configurationError","error":"CIDR \\"10.9.1.0/24\\" in pool \\"b\\" overlaps with already defined CIDR \\"10.9.1.240/28\\"","level":"error","msg":"config not loaded"}\n',
      },
      confidence: 'probable',
    },
    'the log of the AWS controller, no rights': {
      evidence: {
        'controller.log':
          '{"level":"error","ts":1741075857.83,"logger":"controller","msg":"Reconciler error","controller":"ingress","name":"web","namespace":"shop","error":"couldn\'t auto-discover subnets: UnauthorizedOperation: You are not authorized to perform this operation.\\n\\tstatus code: 403"}\n',
      },
      confidence: 'probable',
    },
    'the log of its first version, no credentials': {
      evidence: {
        'controller.log':
          'E0304 08:10:57.391739       1 controller.go:217] kubebuilder/controller "msg"="Reconciler error" "error"="failed to build LoadBalancer configuration due to unable to fetch subnets. Error: NoCredentialProviders: no valid providers in chain. Deprecated."  "controller"="alb-ingress-controller"\n',
      },
      confidence: 'probable',
    },
    'the cloud has no subnet': {
      evidence: { 'service.txt': described(failed) },
      confidence: 'certain',
      place: 'Service shop/web',
      cites: ['service.txt:12'],
    },
    'the AWS controller and an Ingress': {
      evidence: {
        'ingress.txt': `$ kubectl -n shop describe ingress web
Name:             web
Namespace:        shop
Ingress Class:    alb
Events:
  Type     Reason            Age                    From     Message
  ----     ------            ----                   ----     -------
  Warning  FailedBuildModel  2m23s (x16 over 5m9s)  ingress  Failed build model due to couldn't auto-discover subnets: unable to resolve at least one subnet (0 match VPC and tags: [kubernetes.io/role/elb])
`,
      },
      confidence: 'certain',
      place: 'Ingress shop/web',
    },
    'MetalLB has no address': {
      evidence: {
        'service.txt': described(
          '  Warning  AllocationFailed  4m21s (x2 over 4m21s)  metallb-controller  Failed to allocate IP for "shop/web": no available IPs\n',
        ),
      },
      confidence: 'certain',
    },
    'the log of a cloud controller': {
      evidence: {
        'ccm.log':
          '$ kubectl -n kube-system logs cloud-controller-manager-x7k2p\nE0304 08:10:57.402601       1 controller.go:320] error processing service shop/web (will retry): failed to ensure load balancer: AccessDenied: User is not authorized to perform: elasticloadbalancing:CreateLoadBalancer\n',
      },
      confidence: 'probable',
    },
    'only that it is pending': { evidence: { 'service.txt': listed }, confidence: 'possible', place: 'Service shop/web' },
  },
  rulesOut: {
    'it was made': {
      evidence: {
        'listed.txt': listed,
        'service.txt': described(
          `${failed}  Normal   EnsuredLoadBalancer     5s                 service-controller  Ensured load balancer\n`,
        ),
      },
      by: 'made',
    },
  },
  asks: { 'its events': { evidence: { 'service.txt': listed }, for: 'object-events' } },
});
