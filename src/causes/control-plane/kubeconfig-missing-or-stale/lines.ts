import { line } from '../../define-cause.ts';

const CHANNELS = ['objects', 'kubeadm-output', 'container-log'] as const;
export const none = line(
  ['localhost:8080', '127.0.0.1:8080', '[::1]:8080'],
  CHANNELS,
  /The connection to the server (?<server>(?:localhost|127\.0\.0\.1|\[::1\]):8080) was refused|(?:(?<helm>Kubernetes cluster unreachable): )?(?:Get|Post) [\\"“”]{0,4}https?:\/\/(?<host>(?:localhost|127\.0\.0\.1|\[::1\]):8080)\/(?:api\?timeout=\d{1,3}s|api\/?[\\"]|version)/,
);
/** Libraries say it in words of their own; Terraform falls back to port 80. */
export const noneOfLibrary = line(
  ['Invalid kube-config file', 'http://localhost/api'],
  [...CHANNELS, 'prose'],
  /Invalid kube-config file\. (?<python>No configuration found)|(?:Get|Post|Put|Patch|Delete) [\\"“”]{1,4}http:\/\/localhost\/(?:api\/v1\/(?:namespaces|nodes|persistentvolumes)|apis\/[a-z0-9.-]{3,100}\/v\d)[^\n]{0,300}?dial tcp (?<terraform>\S{3,60}:80): connect: connection refused/,
);
/** What client-go says of a kubeconfig that is empty, or whose current context leads nowhere; components say it of theirs. */
export const leadsNowhere = line(
  [
    'no configuration has been provided',
    'context was not found for specified context',
    'cluster has no server defined',
    'no server found for cluster',
  ],
  [...CHANNELS, 'control-plane-log', 'system-log'],
  /(?:(?<program>kube-[a-z-]{5,30})\[\d{1,10}\]: [\s\S]{0,200}?)?(?:(?<helm>Kubernetes cluster unreachable): )?invalid configuration: (?:\[?(?<empty>no configuration has been provided)|\[?context was not found for specified context: (?<context>[^\s,\]"\\]{1,253})|\[?(?<server>cluster has no server defined|no server found for cluster [\\"“”]{0,4}[^\s"\\“”]{0,253}))/,
);
export const asNode = line(
  [
    'can only delete pods with spec.nodeName',
    'can only create pods with spec.nodeName',
    'is forbidden: User "system:node:',
    'system:node:',
  ],
  ['objects'],
  /Error from server \(Forbidden\): [^\n]{0,300}?is forbidden: (?:node [\\"'“”]{1,8}(?<node>[^\s\\"'“”]{1,253})[\\"'“”]{1,8} can only (?:delete|create|update|evict)|User [\\"'“”]{1,8}system:node:(?<user>[^\s\\"'“”]{1,253}))/,
);
export const otherAuthority = line(
  'certificate signed by unknown authority',
  ['objects'],
  /(?:Unable to connect to the server: |(?:couldn't get current server API group list|failed to (?:list|watch))[\s\S]{0,300}?)(?:tls: failed to verify certificate: )?x509: certificate signed by unknown authority(?<verify> \(possibly because of [\\"“”]{1,4}crypto\/(?:rsa|ecdsa): verification error[\\"“”]{1,4})?/,
);
export const otherName = line(
  ['x509: certificate is valid for', "because it doesn't contain any IP SANs", 'x509: certificate is not valid for any names'],
  ['objects'],
  /Unable to connect to the server: (?:tls: failed to verify certificate: )?x509: (?:certificate is valid for (?<names>[^\n"\\]{3,300}?), not (?<asked>[\w.:-]{2,253})|cannot validate certificate for (?<address>[\w.:-]{2,253}) because it doesn't contain any IP SANs|certificate is not valid for any names)/,
);
export const notLoggedIn = line(
  ['You must be logged in to the server', 'the server has asked for the client to provide credentials'],
  ['objects'],
  /You must be logged in to the server \((?!the server has asked for the client to provide credentials \()(?<answer>[^)\n]{3,200})\)|(?<helm>Kubernetes cluster unreachable: )?(?<!cache state ?: )the server has asked for the client to provide credentials(?! \( ?pods\/)/,
);
export const brokenFile = line(
  [
    'error loading config file',
    'unable to read client-cert',
    'unable to read client-key',
    'does not exist in the kubeconfig',
    'current-context must exist',
  ],
  CHANNELS,
  /error loading config file [\\"“”]{1,4}(?<file>[^\n"\\]{1,200})[\\"“”]{1,4}: (?<error>[^\n]{3,200})|unable to read client-(?:cert|key) (?<pem>\S{1,200}) for|current-context must exist|context [\\"“”]{1,4}\S{1,200}[\\"“”]{1,4} does not exist/,
);
/** Who presents no credentials at all is called so. */
export const anonymous = line(
  ['system:anonymous'],
  CHANNELS,
  /[Ff]orbidden: User [\\"'“”]{1,8}(?<user>system:anonymous)[\\"'“”]{1,8} cannot (?<verb>[a-z]{2,20}) (?:resource |path )?[\\"'“”]{0,8}(?<what>[\w./-]{1,120})/,
);
/** The user of a kubeconfig may be a program that fetches a token. */
export const helper = line(
  [
    'getting credentials: exec: ',
    'getting credentials: decoding stdout',
    'exec plugin: invalid apiVersion',
    'no Auth Provider found for name',
    'auth plugin has been removed',
  ],
  [...CHANNELS, 'control-plane-log', 'system-log'],
  /getting credentials: exec: (?:executable (?<absent>[^\s"\\]{1,200}) not found|[\\"“”]{1,4}(?<program>[^\s"\\“”]{1,200})[\\"“”]{1,4}: executable file not found|executable (?<fails>[^\s"\\]{1,200}) failed with exit code (?<code>\d{1,3}))|getting credentials: (?<decoding>decoding stdout)|exec plugin: invalid apiVersion [\\"“”]{1,4}(?<api>[\w./-]{5,80})|no Auth Provider found for name [\\"“”]{1,4}(?<provider>[\w-]{2,30})|The (?<removed>\w{2,20}) auth plugin has been removed/,
);
// No channel: the kubelet has a kubeconfig of its own.
export const kubelet = line(
  ['failed to run Kubelet', 'kubelet-client-current.pem'],
  [],
  /failed to run Kubelet|unable to read client-(?:cert|key) \S{0,200}kubelet-client-current\.pem/,
);
// No channel: a certificate that ran out is told in the same sentence.
export const expired = line('certificate has expired or is not yet valid', []);
