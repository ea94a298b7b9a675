import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const apiServer = (message: string) => ({
  evidence: {
    'apiserver.log': `$ kubectl -n kube-system logs kube-apiserver-alder\n${message}\n`,
  },
  confidence: 'certain' as const,
});
const expired = apiServer(
  'E0314 09:21:11.220101       1 authentication.go:70] "Unable to authenticate the request" err="[invalid bearer token, oidc: verify token: oidc: token is expired (Token Expiry: 2024-03-14 08:00:00 +0000 UTC)]"',
);

testCause(cause, {
  finds: {
    'a token that ran out': expired,
    'a token for another client': apiServer(
      'E0314 09:21:11.220101       1 authentication.go:70] "Unable to authenticate the request" err="[invalid bearer token, oidc: verify token: oidc: expected audience \\"orchard\\" got [\\"account\\"]]"',
    ),
    'a provider it does not trust': apiServer(
      'E0314 09:21:11.220101       1 oidc.go:335] oidc authenticator: initializing plugin: Get "https://sso.example/realms/orchard/.well-known/openid-configuration": x509: certificate signed by unknown authority',
    ),
    'a provider with the certificate of another host': apiServer(
      'E0314 09:21:10.220101       1 authentication.go:63] "Unable to authenticate the request" err="[invalid bearer token, oidc: authenticator not initialized]"\nE0314 09:21:11.220101       1 oidc.go:224] oidc authenticator: initializing plugin: Get "https://sso.example/realms/orchard/.well-known/openid-configuration": x509: certificate is valid for ingress.local, not sso.example',
    ),
    'an issuer that is not there': apiServer(
      'E0314 09:21:11.220101       1 oidc.go:335] oidc authenticator: initializing plugin: 404 Not Found: <html>',
    ),
    'a refresh token that is over': {
      evidence: { 'paste.txt': 'Unable to connect to the server: failed to refresh token: oauth2: cannot fetch token: 400 Bad Request\n' },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'the token of a service account': {
      evidence: {
        'apiserver.log': `${expired.evidence['apiserver.log']}E0314 09:21:12.220101       1 authentication.go:70] "Unable to authenticate the request" err="[invalid bearer token, service account token has expired]"\n`,
      },
      by: 'account',
    },
  },
  asks: {
    'the log of the API server': {
      evidence: { 'note.txt': 'it says oidc: token is expired, what now?\n' },
      for: 'control-plane-log',
    },
  },
});
