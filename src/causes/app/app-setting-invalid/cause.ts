import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

/** Each says of one setting that its value is not of the kind it must be. The values themselves may be secret, so only the complaint is kept. */
const rejected = line(
  [
    'ConfigException: Invalid value',
    'Failed to bind properties under',
    'Invalid maximum heap size',
    'Invalid initial heap size',
    'Initial heap size set to a larger value',
    'Invalid scheme, expected connection string',
    'parameter to `openUri()` must be a string',
    'host must be a URL or a host:port pair',
    'first path segment in URL cannot contain colon',
    'invalid control character in URL',
    'invalid userinfo',
    'missing protocol scheme',
    ' after host',
    'unsupported protocol scheme',
    'missing port in address',
    'too many colons in address',
    'time: invalid duration',
    'time: missing unit in duration',
    'time: unknown unit',
    'Format of the initialization string does not conform',
    'Keyword not supported: ',
    'UriFormatException: Invalid URI',
    'ERR_INVALID_URL',
    'ERR_SOCKET_BAD_PORT',
    'InvalidURIError',
    'Unsupported cipher or incorrect key length',
    'Fernet key must be 32',
    'invalid value for parameter "',
    'is outside the valid range for parameter',
    'validation error for ',
    'validation errors for ',
    'Invalid header value b',
    'Invalid character in header content',
    'invalid header field value',
    'Failed to configure a DataSource',
    'No DataSource set',
    'cannot use the nonroutable meta-address',
    'access key length should be',
    'SSL is not enabled on the server',
    'does not support SSL',
    'Public Key Retrieval is not allowed',
    'support authentication protocol requested by server',
    'plugin requires SSL',
  ],
  ['container-log', 'pod-status'],
  /(?<error>ConfigException: Invalid value [^\n]{0,120}? for configuration (?<kafka>[\w.]{1,100})|Failed to bind properties under '(?<spring>[\w.[\]-]{1,120})'|Invalid (?:maximum|initial) heap size: (?<heap>-X\S{1,40})|Initial heap size set to a larger value than the maximum heap size|Invalid scheme, expected connection string to start with|The `uri` parameter to `openUri\(\)` must be a string, got|host must be a URL or a host:port pair|first path segment in URL cannot contain colon|invalid control character in URL|net\/url: invalid userinfo|missing protocol scheme|invalid port [\\"]{1,4}[^"\\\n]{1,40}[\\"]{1,4} after host|unsupported protocol scheme|address (?<address>[\w.:/-]{1,120}): (?:missing port|too many colons) in address|time: (?:invalid duration|missing unit in duration|unknown unit)|Format of the initialization string does not conform to specification|Keyword not supported: '(?<keyword>[^'\n]{1,60})|UriFormatException: Invalid URI|\[?ERR_INVALID_URL\]?|ERR_SOCKET_BAD_PORT|URI::InvalidURIError|Unsupported cipher or incorrect key length|Fernet key must be 32 url-safe base64-encoded bytes|invalid value for parameter "(?<postgres>[\w.]{1,60})"|is outside the valid range for parameter "(?<range>[\w.]{1,60})"|\d{1,4} validation errors? for (?<pydantic>\w{0,40}(?:Settings|Config|Env|Options)\w{0,40})(?![\s\S]{0,200}?[Ff]ield required)|Invalid header value b|Invalid character in header content|invalid header field value(?! \\*"(?:oci|OCI) runtime)|Failed to configure a DataSource: '(?<datasource>\w{1,40})' attribute is not specified|No DataSource set|(?<listeners>(?:advertised\.)?listeners) cannot use the nonroutable meta-address|(?:access key length should be|[Aa]ccess key) [^\n]{0,20}?at least \d|(?<ssl>SSL is not enabled on the server|[Ss]erver does not support SSL(?: connections)?(?:, but SSL was required)?)|(?<key>Public Key Retrieval is not allowed)|(?<plugin>Client does not support authentication protocol requested by server|[Aa]uthentication plugin '\w{1,40}' (?:cannot be loaded|requires SSL)))/,
);
const parsed = line(
  ['invalid literal for int()', 'NumberFormatException', 'invalid syntax', 'System.FormatException', 'illegal base64 data'],
  'container-log',
  /(?<error>ValueError: invalid literal for int\(\) with base 10|NumberFormatException: For input string|strconv\.\w{1,20}: parsing "[^"\n]{0,40}": invalid syntax|System\.FormatException: [^\n]{3,80}|illegal base64 data at input byte \d{1,8})/,
);
/** What a client sent, or a value the cluster itself made. */
const ofRequest = line(
  [
    'bad request',
    'http: proxy error',
    '"tcp://1',
    "'tcp://1",
    '":tcp:" after host',
    'address tcp://',
    ':tcp://1',
    '"tcp://34.',
    "'tcp://34.",
    'probe failed',
    'probe errored',
  ],
  [],
  /bad request|http: proxy error|["'`:]tcp:\/\/[\d.]{7,15}:\d|listen tcp[46]?: address tcp:\/\/|[\\"]{1,3}:tcp:[\\"]{1,3} after host|probe (?:failed|errored)/i,
);

/** Client and server must agree on how they speak. */
const OF_DATABASES: Readonly<Record<string, string>> = {
  ssl: 'sslmode of its database connection (sslmode=disable where the server has no TLS)',
  key: 'its MySQL connection (allowPublicKeyRetrieval=true, or TLS)',
  plugin: 'its MySQL connection (a newer driver, or a user with mysql_native_password)',
};

export const cause = defineCause({
  id: 'app-setting-invalid',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash', 'other-trouble'],

  text: {
    name: 'Setting has an unusable value',
    title: '{container} cannot use the value of {setting}: {error}',
    why: 'The program of {container} reads {setting} from its arguments, its environment or its configuration and cannot use what it finds: {error}. Usual reasons: an address without scheme or port, quotes that became part of the value (--endpoint="http://…" in a list of args), a line break at the end of a Secret (echo without -n before base64), a password with characters that must be encoded in a URL, a unit of Kubernetes where the program has its own (Mi instead of m for the JVM), or a variable that is empty and leaves half a value behind.',
  },

  clues: {
    rejected: proves(rejected, byContainers),
    parsed: supports(parsed, byContainers),
    ofRequest: excludes(ofRequest),
    well: excludes('pod.status', isWell),
    over: excludes('pod.history'),
  },
  says: {
    rejected: 'it refuses the value: {error}',
    parsed: 'it cannot read a value: {error}',
    ofRequest: 'it speaks of what a client sent, or of a value the cluster made',
    well: 'the pod runs and is ready, or has finished well',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { rejected: said, parsed: read }) => {
    const { error, ...names } = said?.fields ?? {};
    const [kind, value] = Object.entries(names).find(([, given]) => given !== '') ?? [];
    const setting = OF_DATABASES[kind ?? ''] ?? (kind === 'address' ? `an address (${value})` : value);
    return {
      ...namesOf(place),
      setting: setting ?? (/DataSource/.test(error ?? '') ? 'its database connection (DataSource)' : 'a setting'),
      error: (error ?? read?.fields['error'] ?? 'it is invalid').slice(0, 160),
    };
  },

  fixes: [
    {
      say: 'See the value as {container} gets it, with quotes and line breaks',
      risk: 'reads-only',
      steps: [
        { say: 'its last words', run: 'kubectl -n {{namespace}} logs {{target}} --previous --tail=30', on: 'cluster' },
        {
          say: 'arguments and environment in the pod template',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE -A20 'args:|command:|env:|envFrom:'",
          on: 'cluster',
        },
        {
          say: 'a value of a Secret, byte by byte: a 0a at the end is a line break that does not belong there',
          run: "kubectl -n {{namespace}} get secret NAME -o jsonpath='{.data.KEY}' | base64 -d | od -c | tail -3",
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Correct the value in the pod template, ConfigMap or Secret; pods read environment variables only when they start',
      risk: 'restarts-pods',
      steps: [
        { say: 'the template', run: 'kubectl -n {{namespace}} edit {{target}}', on: 'cluster' },
        {
          say: 'or start it anew after a change of the ConfigMap',
          run: 'kubectl -n {{namespace}} rollout restart {{target}}',
          on: 'cluster',
        },
      ],
      verified: '{container} starts and its restart count stays the same',
    },
    {
      say: 'If it came with the last change, go back to the revision before',
      risk: 'restarts-pods',
      steps: [{ say: 'undo the rollout', run: 'kubectl -n {{namespace}} rollout undo {{target}}', on: 'cluster' }],
      changes: [{ do: 'rollout-undo' }],
      verified: '{container} starts again',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'go src/net/url/url.go, src/net/ipsock.go (SplitHostPort), src/time/format.go (ParseDuration)',
    'client-go rest/url_utils.go (DefaultServerURL)',
    'kafka clients common/config/ConfigException.java; spring-boot BindFailureAnalyzer, DataSourceBeanCreationFailureAnalyzer',
    'openjdk src/hotspot/share/runtime/arguments.cpp; postgres src/backend/utils/misc/guc.c; mongodb-connection-string-url',
  ],
});
