import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const log = (words: string) => `$ kubectl -n ingress-nginx logs ingress-nginx-controller-7d9c7b6f8-q2w4z
${words}
`;
const described = (event: string) => `$ kubectl -n shop describe ingress web
Name:             web
Labels:           <none>
Namespace:        shop
Address:
Ingress Class:    alb
Default backend:  <default>
Rules:
  Host        Path  Backends
  ----        ----  --------
  *
              /   front:80 (<error: endpoints "front" not found>)
Annotations:  <none>
${event}`;

testCause(cause, {
  finds: {
    'the certificate of an Istio Gateway': {
      evidence: {
        'gateway.log':
          '$ kubectl -n istio-system logs istio-ingressgateway-6f86b4785f-sx7h7\n2025-03-04T08:10:57.805614Z\terror\tsecretfetcher\tcannot find secret till-tls and cannot find fallback secret gateway-fallback\n',
      },
      confidence: 'possible',
    },
    'the same, of a newer istiod': {
      evidence: {
        'istiod.log':
          '$ kubectl -n istio-system logs istiod-6f86b4785f-x7k2p\n2025-03-04T08:10:57.805614Z\twarn\tads\tfailed to fetch key and certificate for kubernetes://till-tls: secret istio-system/till-tls not found\n',
      },
      confidence: 'possible',
    },
    'targets of an ALB': {
      evidence: { 'note.txt': 'Target.FailedHealthChecks Health checks failed with these codes: [404]\n' },
      confidence: 'possible',
    },
    'in a sentence': {
      evidence: { 'note.txt': 'Since this morning the shop answers 502 Bad Gateway behind the ingress\n' },
      confidence: 'possible',
    },
    'a pod that hangs up': {
      evidence: {
        'nginx.log': log(
          '2025/03/04 08:10:57 [error] 31#31: *1204 upstream prematurely closed connection while reading response header from upstream, client: 10.30.0.9, server: shop.example.com, request: "GET / HTTP/1.1", upstream: "http://10.4.0.12:8080/"',
        ),
      },
      confidence: 'possible',
    },
    'a row with 502': {
      evidence: {
        'nginx.log': log(
          '10.30.0.9 - - [04/Mar/2025:08:10:57 +0000] "GET / HTTP/1.1" 502 150 "-" "curl/8.1" 80 0.001 [shop-till-80] [] 10.4.0.12:8080 0 0.000 502 d1f',
        ),
      },
      confidence: 'possible',
    },
    HAProxy: {
      evidence: { 'haproxy.log': log("[ALERT] 062/081057 (8) : backend 'shop-till-80' has no server available!") },
      confidence: 'possible',
    },
    'a route of Traefik to no Service': {
      evidence: {
        'traefik.log':
          '$ kubectl -n kube-system logs traefik-5d9c7b6f8-q2w4z\n2025-03-04T08:10:57Z ERR Error while building configuration error="kubernetes service not found: shop/till" ingress=till namespace=shop providerName=kubernetescrd\n',
      },
      confidence: 'certain',
    },
    'a class that does not exist': {
      evidence: {
        'controller.log':
          '$ kubectl -n ingress-nginx logs ingress-nginx-controller-5d9c7b6f8-q2w4z\nI0304 08:10:36.490584       7 store.go:403] "Ignoring ingress because of error while validating ingress class" ingress="shop/till" error="no object matching key \\"nginx-shop\\" in local store"\n',
      },
      confidence: 'certain',
    },
    'the certificate is missing': {
      evidence: {
        'controller.log':
          'W0304 08:10:22.877652       7 backend_ssl.go:48] Error getting SSL certificate "shop/web-tls": local SSL certificate shop/web-tls was not found. Using default certificate\n',
      },
      confidence: 'possible',
    },
    'a name that no Service of the namespace has': {
      evidence: {
        'ingress.yaml': `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: shop
  namespace: shop
spec:
  rules:
  - http:
      paths:
      - path: /
        pathType: Prefix
        backend:
          service:
            name: shop-svc
            port:
              number: 80
`,
        'service.yaml': `apiVersion: v1
kind: Service
metadata:
  name: shop
  namespace: shop
spec:
  selector:
    app: shop
  ports:
  - port: 80
`,
      },
      confidence: 'possible',
    },
    'nginx, no endpoint': {
      evidence: {
        'nginx.log': log('W0304 08:10:57.123456       7 controller.go:1163] Service "shop/front" does not have any active Endpoint.'),
      },
      confidence: 'certain',
      cites: ['nginx.log:2'],
    },
    'nginx, no such Service': {
      evidence: {
        'nginx.log': log(
          'W0304 08:10:57.123456       7 controller.go:1108] Error obtaining Endpoints for Service "shop/front": no object matching key "shop/front" in local store',
        ),
      },
      confidence: 'certain',
    },
    traefik: {
      evidence: {
        'traefik.log':
          '$ kubectl -n kube-system logs traefik-7d9c7b6f8-q2w4z\ntime="2025-03-04T08:10:57Z" level=error msg="Skipping service: no endpoints found" ingress=web namespace=shop providerName=kubernetes serviceName=front servicePort="&ServiceBackendPort{Name:,Number:80,}"\n',
      },
      confidence: 'certain',
    },
    'traefik, no such port': {
      evidence: {
        'traefik.log':
          '$ kubectl -n kube-system logs traefik-7d9c7b6f8-q2w4z\ntime="2025-03-04T08:10:57Z" level=error msg="Cannot create service: service port not found" ingress=web namespace=shop providerName=kubernetes serviceName=front\n',
      },
      confidence: 'certain',
    },
    'a described Ingress': {
      evidence: { 'ingress.txt': described('Events:       <none>\n') },
      confidence: 'certain',
      place: 'Ingress shop/web',
      cites: ['ingress.txt:12'],
    },
    'no class': {
      evidence: {
        'nginx.log': log(
          'I0304 08:10:57.123456       7 store.go:423] "Ignoring ingress because of error while validating ingress class" ingress="shop/web" error="ingress does not contain a valid IngressClass"',
        ),
      },
      confidence: 'certain',
    },
    'no class and no address in a listing': {
      evidence: {
        'ingress.txt':
          '$ kubectl -n shop get ingress web\nNAME   CLASS    HOSTS              ADDRESS   PORTS   AGE\nweb    <none>   shop.example.test            80      10m\n',
      },
      confidence: 'possible',
    },
    'an older controller': {
      evidence: {
        'nginx.log': log('W0304 08:10:57.517068       5 controller.go:822] service shop/front does not have any active endpoints'),
      },
      confidence: 'certain',
    },
    'a pod that does not answer': {
      evidence: {
        'nginx.log': log(
          '2025/03/04 08:10:58 [error] 31#31: *88 upstream timed out (110: Operation timed out) while connecting to upstream, client: 10.4.0.1, server: shop.example.test, request: "GET / HTTP/1.1", upstream: "http://10.244.2.5:8080/"',
        ),
      },
      confidence: 'possible',
    },
    'the access log': {
      evidence: {
        'nginx.log':
          log(`10.4.0.1 - - [04/Mar/2025:08:10:57 +0000] "GET / HTTP/1.1" 503 190 "-" "curl/8.5.0" 79 0.000 [shop-front-80] [] - - - - 1b2c3d
2025/03/04 08:10:58 [error] 31#31: *88 connect() failed (111: Connection refused) while connecting to upstream, client: 10.4.0.1, server: shop.example.test, request: "GET / HTTP/1.1", upstream: "http://10.244.2.5:8080/"`),
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'there is no load balancer yet': {
      evidence: {
        'ingress.txt': described(`Events:
  Type     Reason            Age                    From     Message
  ----     ------            ----                   ----     -------
  Warning  FailedBuildModel  2m23s (x16 over 5m9s)  ingress  Failed build model due to couldn't auto-discover subnets: unable to resolve at least one subnet
`),
      },
      by: 'earlier',
    },
  },
  asks: { 'the log of the controller': { evidence: { 'ingress.txt': described('Events:       <none>\n') }, for: 'container-log' } },
});
