import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const listing = (row = '0/1     CrashLoopBackOff   5 (61s ago)   4m') =>
  `NAMESPACE   NAME                     READY   STATUS             RESTARTS      AGE\nforge       anvil-5c7d8f9b6d-q8z4n   ${row}\n`;
const log = (text: string) => `$ kubectl -n forge logs anvil-5c7d8f9b6d-q8z4n --previous\n${text}\n`;
const found = (text: string, confidence: 'certain' | 'probable' | 'possible' = 'certain') => ({
  evidence: { 'pods.txt': listing(), 'log.txt': log(text) },
  confidence,
  place: 'Deployment forge/anvil',
});

testCause(cause, {
  finds: {
    'a key of a Secret it reads itself': found('time="2026-03-04T08:10:57Z" level=fatal msg="server.secretkey is missing"'),
    'a list of a proxy': found('[main.go:59] invalid configuration:\n  missing setting: cookie-secret'),
    Kafka: found(
      'org.apache.kafka.common.config.ConfigException: Missing required configuration "anvil.connect" which has no default value.',
    ),
    'a list of Zod': found(
      'ZodError: [\n  {\n    "code": "invalid_type",\n    "expected": "string",\n    "received": "undefined",\n    "path": [\n      "ANVIL_URL"\n    ],\n    "message": "Required"\n  }\n]',
    ),
    'a list of Zod, as Node.js shows it': found(
      "❌ Invalid environment variables: {\n  ANVIL_URL: [ 'Required' ],\n  ANVIL_KEY: [ 'Required' ]\n}",
    ),
    'a list of envalid': found(
      '================================\n Missing environment variables:\n    ANVIL_KEY: undefined\n    ANVIL_URL: undefined\n================================\n Exiting with error code 1',
    ),
    'fields of an error': found(
      "Error: settings are incomplete\n    at load (/app/settings.js:12:9) {\n  code: 'ERR_SETTINGS',\n  missing: [ 'ANVIL_URL', 'ANVIL_KEY' ]\n}",
    ),
    'a connection of .NET': found(
      "Unhandled exception. System.ArgumentNullException: Value cannot be null. (Parameter 'connectionString')",
    ),
    'settings of Django': found('django.core.exceptions.ImproperlyConfigured: Set the ANVIL_KEY environment variable'),
    'one of two': found(
      'django.core.exceptions.ImproperlyConfigured: Either "ANVIL_KEY" or "ANVIL_KEY_FILE" settings parameters must be set.',
    ),
    decouple: found('decouple.UndefinedValueError: ANVIL_KEY not found. Declare it as envvar or define a default value.'),
    Prisma: found('error: Environment variable not found: ANVIL_URL.'),
    'a password, in a shell': found('/entrypoint.sh: line 4: ANVIL_PASSWORD: unbound variable'),
    'in a panic': found('panic: ANVIL_URL not set'),
    'a secret for tokens': found('Error: secretOrPrivateKey must have a value'),
    'a region': found('botocore.exceptions.NoRegionError: You must specify a region.'),
    'settings of pydantic': found(
      'Traceback (most recent call last):\n  File "/srv/anvil.py", line 7, in <module>\n    settings = Settings()\npydantic_core._pydantic_core.ValidationError: 1 validation error for Settings\nANVIL_URL\n  Field required [type=missing, input_value={}, input_type=dict]',
    ),
    'a variable without content': found('level=error msg="Could not retrieve Environment variable, or it had no content. ANVIL_POD_NAME"'),
    'a start script': found('ERROR: Neither $ANVIL_MAIN_CLASS nor $ANVIL_APP_JAR is set and 0 found in /deployments (1 expected)'),
    Django: found('django.core.exceptions.ImproperlyConfigured: The SECRET_KEY setting must not be empty.'),
    Rails: found('Missing encryption key to decrypt file with. Ask your team for your master key.'),
    Laravel: found('production.ERROR: No application encryption key has been specified.'),
    PostgreSQL: found('Error: Database is uninitialized and superuser password is not specified.'),
    Keycloak: found('ERROR: Strict hostname resolution configured but no hostname setting provided'),
    'a flag': found('Error: required flag(s) "config" not set'),
    argparse: found('anvil.py: error: the following arguments are required: --model'),
    'an object it reads itself': found('time="2026-03-04T08:10:57Z" level=fatal msg="configmap \\"anvil-cm\\" not found"'),
    'an object it reads itself, in a sentence': found(
      'F0304 08:10:57.342018       1 main.go:297] Error when getting forge/anvil-cm: configmaps "anvil-cm" not found',
    ),
    'in words': found('level=error msg="ANVIL_TIER is a required variable."'),
    'must be provided': found('ERROR: 2026/11/02 07:56:03 main.go:155: ANVIL_URL must be provided'),
    envconfig: found('panic: required key DATABASE_URL missing value'),
    Python: found("KeyError: 'DATABASE_URL'"),
    Spring: found("java.lang.IllegalArgumentException: Could not resolve placeholder 'DB_HOST' in value of db.host"),
    'a shell': found('/entrypoint.sh: line 4: API_TOKEN: unbound variable'),
    'named after': found('Error: missing required environment variable: API_TOKEN'),
    'the database image': found('error: database is uninitialized and password option is not specified'),
  },
  rulesOut: {
    'a healthy pod': {
      evidence: {
        'pods.txt': listing('1/1     Running            0             4m'),
        'log.txt': log('panic: required key DATABASE_URL missing value'),
      },
      by: 'well',
    },
    'long over': {
      evidence: {
        'pods.txt': listing('1/1     Running            5 (8d ago)    8d'),
        'log.txt': log('panic: required key DATABASE_URL missing value'),
      },
      by: 'over',
    },
  },
  asks: { 'the state of the pod': { evidence: { 'paste.txt': 'panic: required key DATABASE_URL missing value\n' }, for: 'pod-status' } },
});
