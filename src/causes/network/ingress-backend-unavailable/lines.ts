import type { Fact } from '../../../model/facts.ts';
import { line } from '../../define-cause.ts';

const LOG = ['container-log', 'object-events', 'objects'] as const;
const NAME = String.raw`(?<service>[\w.-]{1,253}(?:\/[\w.-]{1,253})?)`;

export const noEndpoint = line(
  ['does not have any active Endpoint', 'Skipping service: no endpoints found', 'no endpoints found for'],
  LOG,
  new RegExp(
    `(?:[Ss]ervice [\\\\"“”]{0,8}${NAME}[\\\\"“”]{0,8} does not have any active [Ee]ndpoint|Skipping service: no endpoints found|no endpoints found for (?:service )?[\\\\"“”]{0,8}(?<other>[\\w./-]{1,253}))(?<rest>[^\\n]{0,300})`,
  ),
);
export const noService = line(
  [
    'in local store',
    'Cannot create service',
    'could not find service',
    'unresolved service reference',
    'Failed build model due to ingress',
    '<error: services',
    '<error: endpoints',
    'BackendNotFound',
    'kubernetes service not found: ',
  ],
  LOG,
  /(?:(?:Endpoints|service)[^\n]{0,60}? [\\"“”]{1,8}(?<nginx>[\w.-]{1,253}\/[\w.-]{1,253})[\\"“”]{1,8}: no object matching key|Cannot create service[^\n]{0,200}?service not found(?:[^\n]{0,300}?serviceName=(?<traefik>[\w.-]{1,253}))?|could not find service [\\"“”]{1,8}(?<gce>[\w./-]{1,253})|unresolved service reference[^\n]{0,60}?[\\"“”]{1,8}(?<contour>[\w./-]{1,253})|Failed build model due to ingress: (?<ingress>[\w./-]{1,253}): Service [\\"“”]{1,8}(?<alb>[\w.-]{1,253})[\\"“”]{1,8} not found|(?<!default-http-backend:80 \()<error: (?:services|endpoints) [\\"“”]{1,8}(?<described>(?!default-http-backend)[\w.-]{1,253})[\\"“”]{1,8} not found>|kubernetes service not found: (?<route>[\w.-]{1,253}\/[\w.-]{1,253})|[Rr]eason: {1,40}BackendNotFound)/,
);
export const noPort = line(
  ['service port not found', 'does not have a port', 'no service port', 'port not found'],
  LOG,
  /(?:Cannot create service[^\n]{0,200}?service port not found|service [\\"“”]{1,8}(?<service>[\w./-]{1,253})[\\"“”]{1,8} does not have a port[^\n]{0,80}|no service port [^\n]{1,80}|Service [^\n]{1,120} port not found)/i,
);
export const noClass = line(
  [
    'does not contain a valid IngressClass',
    'Ignoring ingress because of error while validating ingress class',
    'no ingress class',
    'ignoring ingress',
    'based on annotation',
  ],
  'container-log',
  /(?:(?:validating ingress class|[Ii]gnoring ingress)[^\n]{0,160}?(?:ingress=[\\"]{1,4}(?<ingress>[\w.-]{1,253}\/[\w.-]{1,253})[\\"]{1,4} )?[^\n]{0,60}?no object matching key [\\"]{1,4}(?<class>[\w.-]{1,253})|ingress does not contain a valid IngressClass|[Ii]gnoring (?:add for )?ingress [^\n]{0,120}(?:ingress\.class|IngressClass|ingress class)[^\n]{0,60})/,
);
export const answered503 = line(['] [] - - - -'], 'container-log', /" 503 \d{1,9} [^\n]{0,300}?\[(?<backend>[\w.-]{1,253})\] \[\] - - - -/);
export const refused = line(
  ['while connecting to upstream'],
  'container-log',
  /(?:connect\(\) failed|upstream timed out) \((?<errno>\d{1,3}): (?<error>[\w ]{3,60})\) while connecting to upstream[^\n]{0,300}?upstream: "(?<upstream>[^"\s]{3,200})/,
);
/** The controller has reached a pod, or tried to, and answers in its stead. */
export const gateway = line(
  [
    'HTTP/1.1" 502 ',
    'HTTP/1.1" 504 ',
    'HTTP/2.0" 502 ',
    'HTTP/2.0" 504 ',
    '502 Bad Gateway',
    '504 Gateway Time',
    '503 Service Temporarily Unavailable',
    'Bad Gateway',
    'Gateway Timeout',
  ],
  ['container-log', 'host-tools', 'prose'],
  /HTTP\/[\d.]{1,3}" (?<status>50[24]) \d{1,9} [^\n]{0,400}?(?:\[(?<backend>[\w.-]{1,253})\] \[[^\]\n]{0,60}\] (?<pod>[\d.]{7,15}:\d{1,5})|"(?<router>[\w.@/-]{1,253})" "(?<url>https?:\/\/[^"\s]{3,200})")|50(?:2 Bad Gateway|4 Gateway Timeout)'? (?:caused by: |error=[\\"]{0,3})(?:dial tcp (?<dialled>[\d.]{7,15}:\d{1,5}): )?(?<error>[^\n"]{3,80})|<(?:h1|title)>(?<page>502 Bad Gateway|503 Service Temporarily Unavailable|503 Service Unavailable)|^\s{0,4}(?<bare>Bad Gateway|Gateway Timeout)\s{0,4}$|^(?![^\n]{0,400}?(?:unexpected status|registry|pull|manifest|https?:\/\/|error=))[^\n]{0,400}?(?<told>50(?:2 Bad Gateway|3 Service Temporarily Unavailable|4 Gateway Time-?out))/,
);
export const cut = line(
  [
    'upstream prematurely closed connection',
    'while reading response header from upstream',
    'while reading upstream',
    'no live upstreams while connecting',
  ],
  'container-log',
  /(?<cut>upstream prematurely closed connection|(?:recv|readv)\(\) failed \(104: Connection reset by peer\)) while reading (?:response header from )?upstream(?:[^\n]{0,300}?upstream: "(?<upstream>[^"\s]{3,200}))?|(?<none>no live upstreams) while connecting to upstream/,
);
/** What an AWS load balancer says of the pods or nodes behind it. */
export const health = line(
  ['Target.FailedHealthChecks', 'Target.ResponseCodeMismatch', 'Health checks failed with these codes', 'Target.Timeout'],
  ['host-tools', 'objects', 'container-log', 'prose'],
  /(?<check>Health checks failed with these codes: \[[\d, ]{1,40}\]|Target\.(?:FailedHealthChecks|ResponseCodeMismatch|Timeout))/,
);
/** HAProxy checks its servers by itself. */
export const haproxy = line(
  ['has no server available', 'is DOWN, reason: Layer', '/<NOSRV>'],
  'container-log',
  /(?:backend|proxy) '?(?<backend>[\w.:/-]{1,253})'? has no server available|Server (?<server>[\w.:/-]{1,253}) is DOWN, reason: (?<error>Layer[^\n]{3,80})|(?<nosrv>[\w.:/-]{1,253}\/<NOSRV>)/,
);
export const noCertificate = line(
  [
    'Error getting SSL certificate',
    'error obtaining X.509 certificate',
    'Error configuring TLS',
    'secret does not contain',
    'cannot find fallback secret',
    'failed to fetch key and certificate for',
  ],
  'container-log',
  /Error getting SSL certificate [\\"“”]{1,8}(?<secret>[\w./-]{1,253})|error obtaining X\.509 certificate: [^\n]{0,60}?(?<other>[\w.-]{1,253}\/[\w.-]{1,253})|Error configuring TLS: secret (?<traefik>[\w./-]{1,253}) does not exist|(?:cannot find secret |failed to fetch key and certificate for kubernetes(?:-gateway)?:\/\/)(?<istio>[\w./-]{1,253}?)(?: and cannot find fallback secret|: secret [\w./-]{1,253} not found)/i,
);
export const earlier = line(
  ['Failed build model due to', 'Failed deploy model due to'],
  ['object-events', 'objects', 'container-log'],
  /Failed (?:build|deploy) model due to (?!ingress: [\w./-]{1,253}: Service)/,
);

export function hasNoClass({ about, status, detail }: Fact<'object.status'>): boolean {
  return about.startsWith('Object/Ingress/') && status === 'no address' && /CLASS <none>/.test(detail ?? '');
}

export function podOf(fields: Readonly<Record<string, string | undefined>>): string {
  const pod = fields['pod'] ?? fields['url'] ?? fields['dialled'];
  return pod === undefined ? '' : ` (${pod})`;
}
