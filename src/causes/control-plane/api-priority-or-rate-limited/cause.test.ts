import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const log = (text: string) => `$ kubectl -n ops logs keeper-6c8d7b9f5d-t5w2x\n${text}\n`;
const limiter =
  'E0304 08:10:57.118402       1 leaderelection.go:332] error retrieving resource lock ops/keeper: client rate limiter Wait returned an error: context deadline exceeded';

testCause(cause, {
  finds: {
    'the limiter of a webhook authenticator': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 birch kubelet[2210]: E0304 08:10:57.220011    2210 webhook.go:111] Failed to make webhook authenticator request: rate: Wait(n=1) would exceed context deadline\n',
      },
      confidence: 'certain',
    },
    'the limiter of the client': {
      evidence: { 'keeper.log': log(limiter) },
      confidence: 'possible',
      place: 'Deployment ops/keeper',
      cites: ['keeper.log:2'],
    },
    'what the server notes of itself': {
      evidence: {
        'api.log':
          '$ kubectl -n kube-system logs kube-apiserver-elm\nI1126 22:24:17.822162      18 wrap.go:42] GET /api/v1/endpoints?limit=500&resourceVersion=0: (504.009µs) 429 [[kube-proxy/v1.9.10 (linux/amd64) kubernetes/1e57adb] 10.5.9.109:52472]\nI1126 22:24:17.822744      18 wrap.go:42] GET /api/v1/services?limit=500&resourceVersion=0: (445.541µs) 429 [[kube-proxy/v1.9.10 (linux/amd64) kubernetes/1e57adb] 10.5.9.109:52472]\n',
      },
      confidence: 'certain',
    },
    'one such note': {
      evidence: {
        'api.log':
          '$ kubectl -n kube-system logs kube-apiserver-elm\nI0304 08:10:57.822162      11 httplog.go:132] "HTTP" verb="LIST" URI="/api/v1/pods?limit=500" latency="1.5ms" userAgent="keeper/v0" audit-ID="1" srcIP="10.5.9.109:52472" resp=429\n',
      },
      confidence: 'possible',
    },
    'the server refuses': {
      evidence: {
        'keeper.log': log(
          'E0304 08:10:57.118402       1 reflector.go:150] Failed to watch *v1.Pod: the server has received too many requests and has asked us to try again later (get pods)',
        ),
      },
      confidence: 'certain',
    },
    'a long wait': {
      evidence: {
        'keeper.log': log(
          'I0304 08:10:57.118402       1 request.go:697] Waited for 14.048s due to client-side throttling, not priority and fairness, request: GET:https://10.96.0.1:443/apis/apps/v1',
        ),
      },
      confidence: 'possible',
    },
    'newer words': {
      evidence: {
        'keeper.log': log(
          'I0304 08:10:57.118402       1 request.go:752] "Waited before sending request" delay="12.048s" reason="client-side throttling, not priority and fairness" verb="GET" URL="https://10.96.0.1:443/apis/apps/v1"',
        ),
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'a registry': {
      evidence: {
        'keeper.log': log(
          `${limiter}\nE0304 08:11:57.118402       1 pull.go:33] failed: toomanyrequests: You have reached your pull rate limit.`,
        ),
      },
      by: 'registry',
    },
  },
  asks: {
    'its log': {
      evidence: { 'paste.txt': 'client rate limiter Wait returned an error: context deadline exceeded\n' },
      for: 'container-log',
    },
  },
});
