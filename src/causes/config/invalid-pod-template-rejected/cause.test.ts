import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const failedCreate = (message: string) => `$ kubectl -n shop describe rs cart-5c8d7f6b9
Name:           cart-5c8d7f6b9
Namespace:      shop
Controlled By:  Deployment/cart
Replicas:       0 current / 3 desired
Conditions:
  Type             Status  Reason
  ----             ------  ------
  ReplicaFailure   True    FailedCreate
Events:
  Type     Reason        Age                 From                   Message
  ----     ------        ----                ----                   -------
  Warning  FailedCreate  12s (x14 over 41s)  replicaset-controller  ${message}
`;

testCause(cause, {
  finds: {
    'a pod of the controller': {
      evidence: {
        'rs.txt': failedCreate(
          'Error creating: Pod "cart-5c8d7f6b9-x2k4p" is invalid: spec.containers[0].resources.requests: Invalid value: "2Gi": must be less than or equal to memory limit of 1Gi',
        ),
      },
      confidence: 'certain',
      cites: ['rs.txt:13'],
    },
    'quoted by an operator': {
      evidence: {
        'operator.log':
          '$ kubectl -n ops logs keeper-7c9d8b6f5d-x2v4q\ntime="2026-03-04T08:10:57Z" level=warning msg="failed to create pod: Pod \\"worker-1\\" is invalid: spec.containers[0].resources.requests: Invalid value: \\"250m\\": must be less than or equal to cpu limit"\n',
      },
      confidence: 'certain',
    },
    'kubectl apply': {
      evidence: {
        'paste.txt': 'The Deployment "cart" is invalid: spec.template.spec.containers[0].volumeMounts[1].name: Not found: "cache"\n',
      },
      confidence: 'certain',
    },
    'a node port that is taken': {
      evidence: {
        'paste.txt': 'The Service "cart" is invalid: spec.ports[0].nodePort: Invalid value: 30080: provided port is already allocated\n',
      },
      confidence: 'certain',
    },
    'a definition too long to apply': {
      evidence: {
        'paste.txt':
          'The CustomResourceDefinition "carts.shop.example.org" is invalid: metadata.annotations: Too long: must have at most 262144 bytes\n',
      },
      confidence: 'certain',
    },
    'an unknown field': {
      evidence: {
        'paste.txt':
          'Error from server (BadRequest): error when creating "cart.yaml": Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: unknown field "spec.template.spec.containers[0].enviroment"\n',
      },
      confidence: 'certain',
    },
    'an unknown field, older': {
      evidence: {
        'paste.txt':
          'error: error validating "cart.yaml": error validating data: ValidationError(Deployment.spec.template.spec): unknown field "container" in io.k8s.api.core.v1.PodSpec; if you choose to ignore these errors, turn validation off with --validate=false\n',
      },
      confidence: 'certain',
    },
    'a field that may not change': {
      evidence: {
        'paste.txt':
          'Error: The Deployment "cart" is invalid: spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{"app":"cart2"}}: field is immutable\n',
      },
      confidence: 'certain',
    },
    'a quantity': {
      evidence: {
        'paste.txt': "Error: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'\n",
      },
      confidence: 'possible',
    },
    'a CRD of the old sort': {
      evidence: {
        'term.txt':
          'Error: UPGRADE FAILED: cannot patch "pears.orchard.example" with kind CustomResourceDefinition: CustomResourceDefinition.apiextensions.k8s.io "pears.orchard.example" is invalid: spec.preserveUnknownFields: Invalid value: true: must be false in order to use defaults in the schema\n',
      },
      confidence: 'certain',
    },
    'a CRD of the old sort that is to get a webhook': {
      evidence: {
        'term.txt':
          'The CustomResourceDefinition "pears.orchard.example" is invalid: spec.conversion.strategy: Invalid value: "Webhook": must be None if spec.preserveUnknownFields is true\n',
      },
      confidence: 'certain',
    },
    'a binding to another role': {
      evidence: {
        'term.txt':
          'The ClusterRoleBinding "pears" is invalid: roleRef: Invalid value: rbac.RoleRef{APIGroup:"rbac.authorization.k8s.io", Kind:"ClusterRole", Name:"view"}: cannot change roleRef\n',
      },
      confidence: 'certain',
    },
    'a StorageClass with other parameters': {
      evidence: { 'term.txt': 'The StorageClass "fast" is invalid: parameters: Forbidden: updates to parameters are forbidden.\n' },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'a policy': {
      evidence: {
        'rs.txt': failedCreate(
          'Error creating: admission webhook "policy.example.net" denied the request: Pod "cart" is invalid: spec.hostNetwork: Forbidden: not here',
        ),
      },
      by: 'otherRefusal',
    },
  },
  asks: {
    'the workload': {
      evidence: { 'paste.txt': 'The Deployment "cart" is invalid: spec.template.spec.containers[0].image: Required value\n' },
      for: 'workload',
    },
  },
});
