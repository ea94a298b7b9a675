import { defineCause, excludes, line, minutes, namesOf, proves } from '../../define-cause.ts';

/** Envoy answers with these words, and writes which policy matched into its access log. */
const rbac = line(['RBAC: access denied'], ['container-log', 'host-tools', 'prose'], /RBAC: access denied/);
const logged = line(
  ['rbac_access_denied', 'enforced denied, matched policy'],
  ['container-log'],
  /rbac_access_denied_matched_policy\[(?<policy>[^\]\n]{1,253})\]|enforced denied, matched policy (?<matched>[\w.:[\]-]{1,253})/,
);
const jwt = line(
  [
    'Jwt is missing',
    'Jwt verification fails',
    'Jwt issuer is not configured',
    'Jwt is expired',
    'jwt_authn_access_denied',
    'Jwks remote fetch is failed',
    "Jwks doesn't have key to match kid or alg from Jwt",
  ],
  ['container-log', 'host-tools', 'prose'],
  /(?<jwt>Jwt is missing|Jwt verification fails|Jwt issuer is not configured|Jwt is expired|Jwks remote fetch is failed|Jwks doesn't have key to match[^\n]{0,40}|jwt_authn_access_denied(?:\{[^}\n]{1,60}\})?)/,
);
const linkerd = line(
  ['Request denied', 'Connection denied', 'unauthorized request on route', 'unauthorized connection on server'],
  ['container-log'],
  /linkerd[\s\S]{0,200}?(?:Request|Connection) denied[\s\S]{0,80}?server(?:\.group=\S{0,80} server\.kind=\S{1,80} server\.name)?=[\\"]{0,4}(?<server>[\w.:/-]{1,253})|unauthorized (?:request on route|connection on server)/,
);
const ztunnel = line(
  ['policy rejection', 'allow policies exist, but none allow', 'explicitly denied by: '],
  ['container-log'],
  /(?:due to policy rejection|explicitly denied by: (?<denier>[\w./-]{1,253})|allow policies exist, but none allow)/,
);
const kubernetes = line(['cannot list resource', 'cannot get resource', 'cannot create resource'], []);

export const cause = defineCause({
  id: 'mesh-policy-denies',
  area: 'network',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['other-trouble', 'not-ready', 'crash-loop', 'restarts'],

  text: {
    name: 'Mesh policy denies the request',
    title: 'The service mesh refuses the request by policy: {what}',
    why: 'The sidecar (Envoy, linkerd-proxy) or ztunnel in front of the called pod answers by itself, mostly with 403 or 401; the program behind it never sees the request. {what}. As soon as one ALLOW policy selects a pod, all that no policy allows is denied, and a policy that names principals or namespaces fits only callers with mutual TLS, that is with a sidecar of their own.',
  },

  clues: {
    logged: proves(logged),
    ztunnel: proves(ztunnel),
    linkerd: proves(linkerd),
    rbac: proves(rbac),
    jwt: proves(jwt),
    kubernetes: excludes(kubernetes),
  },
  says: {
    logged: 'the proxy writes that its policy denied the request (matched: {policy})',
    ztunnel: 'ztunnel closes the connection by policy',
    linkerd: 'the linkerd proxy denies it, {policy}',
    rbac: 'the answer is that of the RBAC filter of Envoy',
    jwt: 'the token of the request is not accepted: {token}',
    kubernetes: 'it is the API server that forbids something, by its own RBAC',
  },
  slots: (place, { logged: said, ztunnel: zero, linkerd: other, rbac: filter, jwt: token }) => {
    const policy = (said?.fields['policy'] ?? said?.fields['matched'] ?? zero?.fields['denier'] ?? '').replace(/^ns\[|\]$/g, '');
    const none = policy === '' || policy === 'none';
    return {
      namespace: namesOf(place).namespace,
      policy: policy || other?.fields['server'] || 'none',
      token: token?.fields['jwt'] ?? 'no valid token',
      what:
        token && !filter && !said
          ? `a RequestAuthentication or AuthorizationPolicy wants a valid JWT (${token.fields['jwt'] ?? 'Jwt is missing'})`
          : other
            ? 'a Server or AuthorizationPolicy of linkerd lets nobody in who is not named: the caller has no proxy or another identity'
            : none
              ? 'an AuthorizationPolicy selects the pod and none of its rules allows this caller, path, method or port'
              : `the policy ${policy} denies it`,
    };
  },

  fixes: [
    {
      say: 'See which policies select the called pod, and who the caller is to them',
      risk: 'reads-only',
      steps: [
        {
          say: 'policies of its namespace and of the whole mesh',
          run: 'kubectl get authorizationpolicies,requestauthentications,peerauthentications -A',
          on: 'cluster',
        },
        {
          say: 'what applies to one pod',
          run: 'istioctl x describe pod POD -n {{namespace}}; istioctl x authz check POD.{{namespace}}',
          on: 'cluster',
        },
        {
          say: 'let the proxy say why: look for "enforced denied" and the principal',
          run: 'istioctl proxy-config log POD -n {{namespace}} --level rbac:debug; kubectl -n {{namespace}} logs POD -c istio-proxy --tail=50 | grep -i rbac',
          on: 'cluster',
        },
        { say: 'linkerd', run: 'linkerd authz -n {{namespace}} deploy/NAME', on: 'cluster' },
      ],
    },
    {
      say: 'Allow the caller: its service account as principal, and the path, method and port it uses',
      risk: 'reads-only',
      steps: [
        {
          say: 'principals are written cluster.local/ns/NAMESPACE/sa/ACCOUNT; ports are those of the container, not of the Service',
          run: 'kubectl -n {{namespace}} edit authorizationpolicy',
          on: 'cluster',
        },
        {
          say: 'the caller needs a sidecar to have an identity at all',
          run: 'kubectl label namespace CALLER-NAMESPACE istio-injection=enabled',
          on: 'cluster',
        },
      ],
      verified: 'the call is answered by the program, and the proxy logs no denial',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: [
    'envoyproxy/envoy source/extensions/filters/http/rbac',
    'istio.io docs: security problems',
    'istio/ztunnel src/rbac.rs',
    'linkerd2-proxy app/inbound policy',
  ],
});
