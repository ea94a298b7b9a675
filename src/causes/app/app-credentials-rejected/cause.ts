import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const refused = line(
  [
    'password authentication failed',
    'Access denied for user',
    'WRONGPASS',
    'NOAUTH Authentication required',
    'invalid password',
    'Authentication failed',
    'AuthenticationFailed',
    'authentication failure',
    'SASL authentication failed',
    'ACCESS_REFUSED',
    'invalid username-password',
    'Login failed for user',
    'no pg_hba.conf entry',
    'Authentication failed against',
    'InvalidAccessKeyId',
    'SignatureDoesNotMatch',
    'unable to authenticate user',
    'missing authentication credentials',
    'bad username or password',
    'ORA-01017',
    'client sent AUTH, but no password is set',
    'could not read Username for',
    'could not read Password for',
    'Permission denied (publickey',
    'Cannot access gated repo',
    'is not allowed to connect to this',
    'is blocked because of many connection errors',
  ],
  ['container-log', 'prose', 'pod-status'],
  /(?<postgres>password authentication failed for user)(?:[^\n]{0,60}?[\\"“'']{1,4}(?<user>[^\s\\"“”'']{1,80}))?|(?<rule>no pg_hba\.conf entry for)(?:[^\n]{0,120}? user [\\"“']{1,4}(?<ruled>[^\s\\"“”']{1,80}))?|(?<prisma>Authentication failed against (?:the )?database server)(?:[^\n]{0,120}?credentials for `(?<client>[^`\s]{1,80}))?|(?<mysql>Access denied for user) ['"](?<account>[^'"\s]{1,80})['"]@|(?<redis>WRONGPASS |NOAUTH Authentication required|ERR invalid password|client sent AUTH, but no password is set)|(?<mongo>MongoServerError: Authentication failed|AuthenticationFailed|SCRAM authentication failed|auth error: [^\n]{0,80}Authentication failed)|(?<kafka>SASL authentication failed|SaslAuthenticationException)|(?<rabbit>ACCESS_REFUSED - Login was refused)|(?<mssql>Login failed for user) '(?<login>[^'\n]{1,80})'|(?<s3>InvalidAccessKeyId|SignatureDoesNotMatch)|(?<elastic>unable to authenticate user \[(?<es>[^\]\n]{1,80})\]|missing authentication credentials for REST request)|(?<oracle>ORA-01017)|(?<git>could not read (?:Username|Password) for '?[^'\s]{4,200}|Permission denied \(publickey)|(?<model>Cannot access gated repo)|(?<address>Host '[^'\n]{1,253}' is (?:not allowed to connect to this (?:MySQL|MariaDB)|blocked because of many connection errors))|(?<any>(?:bad username or password|invalid username-password pair))/,
);
/** A probe that logs in uses the password of the Secret; the data in the volume may know another. */
const ofProbe = line(
  ['Access denied for user', 'password authentication failed', 'NOAUTH Authentication', 'WRONGPASS', 'Authentication failed'],
  'pod-events',
  /probe failed: [\s\S]{0,600}?(?:(?<mysql>Access denied for user) ['"](?<account>[^'"\s]{1,80})['"]@|(?<postgres>password authentication failed for user)(?:[^\n]{0,20}?[\\"]{1,4}(?<user>[^\s\\"]{1,80}))?|(?<redis>NOAUTH Authentication required|WRONGPASS )|(?<mongo>MongoServerError: Authentication failed|AuthenticationFailed))/,
);
/** A server tells in its own log whom it refuses; clients put a prefix before the same words. */
const ofServer = line(
  ['password authentication failed for user', 'Connection matched ', 'Access denied for user'],
  'container-log',
  /^password authentication failed for user|Connection matched (?:file [\\"]{1,4}[^"\n]{1,200}[\\"]{1,4} |pg_hba\.conf )line \d|\[(?:Note|Warning)\] (?:\[MY-\d{4,8}\] )?(?:\[Server\] )?Access denied for user/,
);
/** Registries refuse pulls in the same words. */
const ofPull = line(['Failed to pull image', 'ErrImagePull', 'docker login'], []);

const SERVERS: Readonly<Record<string, string>> = {
  postgres: 'its PostgreSQL database',
  rule: 'its PostgreSQL database',
  prisma: 'its database',
  mysql: 'its MySQL or MariaDB database',
  redis: 'its Redis server',
  mongo: 'its MongoDB',
  kafka: 'its Kafka brokers',
  rabbit: 'its RabbitMQ',
  mssql: 'its SQL Server',
  s3: 'its object store (S3)',
  elastic: 'its Elasticsearch',
  oracle: 'its Oracle database',
  git: 'its Git server',
  address: 'its MySQL or MariaDB database',
  model: 'the store of its model (gated repository)',
};

export const cause = defineCause({
  id: 'app-credentials-rejected',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash', 'other-trouble'],

  text: {
    name: 'Credentials refused',
    title: '{container} {refusal}: {error}{user}',
    why: '{container} {meeting}{user}: server and client do not agree on who may log in. {reason}',
  },

  clues: {
    refused: proves(refused, byContainers),
    ofProbe: proves(ofProbe, ({ channel }) => channel === 'pod-events'),
    ofServer: supports(ofServer),
    ofPull: excludes(ofPull),
    well: excludes('pod.status', isWell),
    over: excludes('pod.history'),
  },
  says: {
    refused: '{server} refuses the credentials{user}',
    ofProbe: 'the probe logs in, and is refused{user}',
    ofServer: 'the line is from the log of the server itself, which refuses a client',
    ofPull: 'a registry refuses a pull: no program runs yet',
    well: 'the pod runs and is ready, or has finished well',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { refused: no, ofProbe: probe, ofServer: itself }) => {
    const fields = (no ?? probe)?.fields ?? {};
    const user = fields['user'] ?? fields['account'] ?? fields['login'] ?? fields['es'] ?? fields['ruled'] ?? fields['client'];
    const kind = Object.keys(fields).find((key) => key in SERVERS);
    const server = itself ? 'the server' : ((kind === undefined ? undefined : SERVERS[kind]) ?? 'its server');
    return {
      ...namesOf(place),
      server,
      refusal: itself ? 'refuses a client that logs in to it' : `is refused by ${server}`,
      meeting: itself
        ? 'works, and refuses a client that logs in to it with other credentials than it has; the fault shows in the pod of that client'
        : `reaches ${server}, and that refuses it`,
      user: user === undefined ? '' : ` (user ${user})`,
      error: fields['address']
        ? 'it takes no connection from this address'
        : fields['rule']
          ? 'its pg_hba.conf has no rule for this address, user, database and encryption'
          : 'wrong user or password',
      reason: fields['address']
        ? "MySQL knows accounts by user and host: none of them fits the address the pod comes from (create it as 'USER'@'%'), or the address was locked out after many connections that broke off (mysqladmin flush-hosts)."
        : fields['rule']
          ? 'Before any password is asked for, PostgreSQL looks for a line in pg_hba.conf that fits the address of the client, the user, the database and whether the connection is encrypted. None does: often the server takes only encrypted connections ("no encryption": set sslmode=require in the connection string), or the addresses of the pods or nodes are not on its list.'
          : 'The Secret and the server disagree: the password was changed on one side only, a chart made a new random one while the data volume keeps that of its first start, or it has a newline or wrong encoding.',
    };
  },

  fixes: [
    {
      say: 'See what {container} says last, and how it is set up',
      risk: 'reads-only',
      steps: [
        { say: 'its last words', run: 'kubectl -n {{namespace}} logs {{target}} --previous --tail=30', on: 'cluster' },
        {
          say: 'where {container} has its credentials from',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE -B2 -A4 'secretKeyRef|secretRef'",
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Make both sides agree: put the password that {server} has into the Secret, and restart',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'what the Secret holds; look for a newline at the end',
          run: 'kubectl -n {{namespace}} get secret NAME -o jsonpath="{.data.KEY}" | base64 -d | od -c | tail -3',
          on: 'cluster',
        },
        {
          say: 'environment variables are read only at the start',
          run: 'kubectl -n {{namespace}} rollout restart {{target}}',
          on: 'cluster',
        },
      ],
      verified: '{container} logs in',
    },
    {
      say: 'Or change the password in {server} to that of the Secret',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'database images use POSTGRES_PASSWORD, MYSQL_ROOT_PASSWORD and the like only with an empty data folder: an old volume (PVC) keeps the old password; change it there with ALTER USER',
          run: "kubectl -n {{namespace}} exec -it DATABASE-POD -- psql -U postgres -c '\\password USER'",
          on: 'cluster',
        },
      ],
      verified: '{container} logs in',
    },
    {
      say: 'Only if the data may be lost: delete the old claim, so that the server starts anew with the present password',
      risk: 'may-lose-data',
      steps: [{ say: 'helm uninstall leaves claims of a StatefulSet behind', run: 'kubectl -n {{namespace}} get pvc', on: 'cluster' }],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['PostgreSQL src/backend/libpq/auth.c', 'MySQL ER_ACCESS_DENIED_ERROR', 'Redis src/acl.c', 'bitnami/charts issue 2061'],
});
