import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, proves } from '../../define-cause.ts';

const NAME = '[A-Z][A-Z0-9_]{2,80}';
const missing = line(
  [
    'environment variable',
    'env variable',
    'env var ',
    'is required',
    'is a required',
    'must be set',
    'must be provided',
    'must be specified',
    'is not set',
    'not set in environment',
    'is not defined',
    'missing value',
    'missing required',
    'is not specified',
    "KeyError: '",
    'key not found: "',
    'Could not resolve placeholder',
    'parameter not set',
    'unbound variable',
    'You need to specify one of',
    'password option is not specified',
    'Failed to bind properties',
    'setting must not be empty',
    'Neither $',
    'superuser password is not specified',
    'Missing encryption key to decrypt file with',
    'Missing `secret_key_base`',
    'No application encryption key has been specified',
    'MissingAppKeyException',
    'default discovery settings are unsuitable for production',
    'Multiple private IPv4 addresses found',
    'no hostname setting provided',
    'hostname is not configured',
    'Key material not provided to setup HTTPS',
    'ield required',
    'required flag(s) "',
    'the following arguments are required',
    'required option ',
    'required options ',
    'had no content',
    'No server certificate was specified',
    'ImproperlyConfigured: Set the',
    'Declare it as envvar',
    'Environment variable not found: ',
    'value: NotPresent',
    'Invalid environment variables',
    'must have a value',
    'You must provide',
    'You must specify a region',
    'must be defined',
    "(Parameter 'connectionString')",
    'by setting the ',
    ' not set',
    ' is empty',
    ': required',
  ],
  ['container-log', 'prose', 'pod-status'],
  new RegExp(
    String.raw`^(?![\s\S]*?(?:[Ww][Aa][Rr][Nn]|using default|[Dd]efaulting|[Dd]efaults? to|[Ii]gnor|[Ss]kip|[Dd]eprecat|[Oo]ptional|"info"|=info|INFO))[\s\S]*?(?:${[
      String.raw`(?:[Ee]nvironment|env) var(?:iable)?s?:? [\`'"$]{0,2}(?<env>${NAME})[\`'"]?[^\n]{0,60}?(?:is |are )?(?:not set|not defined|required|missing|empty|not found|must be|unset|not specified|undefined)`,
      String.raw`(?:missing|required|undefined|unset|no|expected)(?: the)?(?: required| mandatory)? (?:[Ee]nvironment|env) var(?:iable)?s?:? [\`'"$[(]{0,2}(?<named>${NAME})`,
      String.raw`(?:^|[\s\`'"$:(])(?<first>${NAME}|[\w.]{0,60}_[\w.]{1,60})[\`'"]? (?:is a required variable|is a required|is required\b|must be (?:set|provided|specified|defined|non-?empty)|environment variable (?:is |must |not |required|missing)|env(?:ironment)? var (?:is |must |not )|is not set\b|is not defined in the environment|not set in environment|needs to be set)`,
      `required key (?<envconfig>${NAME}) missing value`,
      `KeyError: ['"](?<python>${NAME})['"]`,
      `key not found: "(?<ruby>${NAME})"`,
      String.raw`Could not resolve placeholder '(?<spring>[^'\n]{1,120})'`,
      String.raw`(?:^|[\s:])(?<shell>${NAME}): (?:parameter (?:not set|null or not set)|unbound variable)`,
      '(?<password>password option is not specified)',
      `The (?<django>${NAME}) setting must not be empty`,
      String.raw`[Nn]either \$(?<neither>${NAME}) nor \$${NAME} is set`,
      '(?<superuser>superuser password is not specified)',
      '(?<rails>Missing encryption key to decrypt file with)',
      'Missing `(?<secret>secret_key_base)`',
      '(?<laravel>No application encryption key has been specified|MissingAppKeyException)',
      '(?<discovery>default discovery settings are unsuitable for production)',
      '(?<consul>Multiple private IPv4 addresses found)',
      '(?<keycloak>no hostname setting provided|hostname is not configured; either)',
      '(?<https>Key material not provided to setup HTTPS)',
      String.raw`validation errors? for \w{1,80}\n(?<pydantic>\w{1,80})\n\s{1,8}[Ff]ield required`,
      String.raw`required flag\(s\) "(?<flag>[\w-]{1,60})"[^\n]{0,200}? not set`,
      String.raw`the following arguments are required: (?<argument>[^\s,]{1,60})`,
      String.raw`required options? ['"\`]?(?<option>--?[\w-]{1,60})[^\n]{0,60}? (?:not specified|missing|is missing|was not)`,
      '(?<kestrel>No server certificate was specified)',
      String.raw`(?:[Ee]nvironment|env) variable, or it had no content\. (?<empty>${NAME})`,
      `ImproperlyConfigured: Set the (?<environ>${NAME}) environment variable`,
      String.raw`(?<decouple>${NAME}) not found\. Declare it as envvar`,
      `[Ee]nvironment variable not found: (?<prisma>${NAME})`,
      '(?<rust>Err` value: NotPresent)',
      String.raw`Invalid environment variables:? {0,4}\{ {0,4}(?<zod>${NAME}): \[ ?['"]Required`,
      `(?<value>${NAME}) must have a value`,
      '(?<jwt>secretOrPrivateKey) must have a value',
      String.raw`You must provide (?:the |a |an )?["'\`$]{0,2}(?<provide>${NAME})`,
      '(?<region>You must specify a region)',
      String.raw`Value cannot be null\. \(Parameter '(?<dotnet>connectionString)'\)`,
      `must be set[^\\n]{0,80}? by setting the (?<setting>${NAME}) environment variable`,
      `"(?<either>${NAME})" or "${NAME}" settings? parameters? must be set`,
      String.raw`(?:panic|FATAL|[Ff]atal|[Ee]rror|ERROR|[Cc]onfig)\b[^\n]{0,60}?: ["'\`$]{0,2}(?<bare>[A-Z][A-Z0-9]{1,40}_[A-Z0-9_]{1,60})["'\`]?(?: (?:is )?(?:not set|empty|undefined)|: required)\b`,
    ].join('|')})`,
  ),
);

/** A program that reads its settings from the API itself. */
const object = line(
  ['configmap "', 'configmap \\"', 'configmaps "', 'configmaps \\"'],
  'container-log',
  /^(?<kind>configmap)s? [\\"]{1,4}(?<name>[\w.-]{1,253})[\\"]{1,4} not found$/,
);

/** What a program calls by a sentence of its own. */
const OF_PROGRAM: Readonly<Record<string, string>> = {
  password: 'MYSQL_ROOT_PASSWORD',
  superuser: 'POSTGRES_PASSWORD',
  rails: 'RAILS_MASTER_KEY',
  secret: 'SECRET_KEY_BASE',
  laravel: 'APP_KEY',
  discovery: 'discovery.seed_hosts',
  consul: 'bind',
  keycloak: 'KC_HOSTNAME',
  https: 'KC_HTTPS_CERTIFICATE_FILE',
  kestrel: 'ASPNETCORE_Kestrel__Certificates__Default__Path',
  jwt: 'the secret for its tokens (JWT_SECRET)',
  region: 'AWS_REGION',
  rust: 'an environment variable',
};

export const cause = defineCause({
  id: 'app-setting-missing',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash', 'other-trouble'],

  text: {
    name: 'Required setting missing',
    title: '{container} ends because a required setting is missing: {setting}',
    why: 'The program of {container} needs the setting {setting} (an environment variable or a key of its configuration) and ends when it is not there or empty. The pod template does not set it: forgotten, spelled differently, in a ConfigMap or Secret without that key (optional: true), or not passed on by the chart.',
  },

  clues: {
    missing: proves(missing, byContainers),
    object: proves(object, ({ channel }) => channel === 'container-log'),
    well: excludes('pod.status', isWell),
    over: excludes('pod.history'),
  },
  says: {
    missing: 'it says that {setting} is not set',
    object: 'it reads {setting} from the API, and there is none',
    well: 'the pod runs and is ready, or has finished well',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { missing: said, object: gone }) => {
    const [key, value] = Object.entries(said?.fields ?? {})[0] ?? [];
    const setting = OF_PROGRAM[key ?? ''] ?? value ?? (gone ? `${gone.fields['kind']} ${gone.fields['name']}` : undefined);
    return {
      ...namesOf(place),
      setting: setting ?? 'an environment variable',
      name: setting ?? 'NAME',
      variable: /^[A-Za-z_]\w*$/.test(setting ?? '') ? `${setting}` : '',
    };
  },

  fixes: [
    {
      say: 'See what {container} says last, and how it is set up',
      risk: 'reads-only',
      steps: [
        { say: 'its last words', run: 'kubectl -n {{namespace}} logs {{target}} --previous --tail=30', on: 'cluster' },
        {
          say: 'what is set: env and envFrom of {container}',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE -A20 'env:|envFrom:'",
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Set {setting} for {container}: in env, or in the ConfigMap or Secret that envFrom names',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'as a plain value; what is secret goes into a Secret (valueFrom.secretKeyRef)',
          run: 'kubectl -n {{namespace}} set env {{target}} {{name}}=VALUE',
          on: 'cluster',
        },
        { say: 'a chart: set it in its values, so that the next upgrade keeps it' },
      ],
      changes: [
        {
          do: 'workload-set',
          field: 'env.{{variable}}',
          value: { ask: 'value', says: 'the value of {{variable}}; no secret, which belongs into a Secret' },
        },
      ],
      verified: '{container} starts and no longer names {setting}',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kelseyhightower/envconfig', 'Spring PropertySourcesPropertyResolver', 'docker-library/mysql entrypoint'],
});
