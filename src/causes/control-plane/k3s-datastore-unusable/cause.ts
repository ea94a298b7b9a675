import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['kubelet-log', 'system-log', 'container-log', 'control-plane-log'] as const;
/** Kine stands between k3s and a database: MySQL, PostgreSQL, SQLite, NATS. */
const fails = line(
  ['building kine: ', 'creating storage endpoint: ', 'failed to create kine', 'starting kine backend'],
  SAID_BY,
  /(?:building kine|creating storage endpoint|starting kine backend|failed to create kine(?: endpoint)?): (?:building kine: )?(?<said>(?:dial tcp \S{3,120}: )?[^\n"]{3,300})/,
);
/** The same without the words in front: who has tables of kine has k3s. */
const table = line(
  ['kine" does not exist', "kine' doesn't exist", 'no such table: kine'],
  SAID_BY,
  /(?<missing>relation \\{0,3}"kine\\{0,3}" does not exist|Table '[\w.-]{1,100}\.kine' doesn't exist|no such table: kine)/,
);
const slow = line(
  ['Slow SQL'],
  SAID_BY,
  /Slow SQL ?\((?:started: [^)\n]{5,80}\) \()?total time: (?<time>[\d.hmsµ]{2,20})\)[^\n]{0,400}?\bkine\b/,
);
const database = line(
  ['database is locked', 'database disk image is malformed', 'error in txn: ', 'error while range on'],
  SAID_BY,
  /(?:error in txn|error while range on[^\n:]{0,200}|failed to compact|error deleting|kine)[^\n]{0,200}?: (?<text>database is locked|database disk image is malformed|disk I\/O error|database or disk is full|attempt to write a readonly database|driver: bad connection|invalid connection|context deadline exceeded)/,
);
const up = line(['k3s is up and running'], [], /k3s is up and running/);

type Fault = 'unreachable' | 'login' | 'name' | 'tls' | 'damaged' | 'full' | 'locked' | 'many' | 'slow' | 'missing' | 'dsn' | 'other';

export const cause = defineCause({
  id: 'k3s-datastore-unusable',
  area: 'control-plane',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['control-plane-down', 'kubelet-down', 'node-not-ready', 'other-trouble'],

  text: {
    name: 'Database of k3s not usable',
    title: 'k3s on {node} cannot use its datastore: {what}',
    why: 'k3s keeps the objects of the cluster in a database through kine: SQLite in a file by default, or the MySQL or PostgreSQL of --datastore-endpoint. Without it the API server does not start or does not answer. Here {what}. {hint}',
  },

  clues: {
    fails: proves(fails),
    table: proves(table),
    damaged: proves(database, ({ fields }) => /malformed|I\/O|full|readonly/.test(fields['text'] ?? '')),
    database: supports(database),
    slow: supports(slow, ({ fields }) => !/^\d{1,3}(?:\.\d{1,9})?(?:ms|µs)$/.test(fields['time'] ?? '')),
    up: excludes(up),
  },
  says: {
    fails: 'kine, the layer of k3s before its database, fails: {said}',
    table: 'the table of kine is not there',
    damaged: 'the database says: {text}',
    database: 'the database says: {text}',
    slow: 'a query of kine took {time}',
    up: 'k3s has come up since',
  },
  slots: (place, { fails: failed, table: noTable, database: error, slow: late }) => {
    const said = (failed?.fields['said'] ?? '').replace(/[\\"]+$/, '').trim();
    const text = error?.fields['text'] ?? '';
    const time = late?.fields['time'] ?? 'long';
    const fault: Fault = failed || error ? faultOf(`${said} ${text}`) : noTable ? 'missing' : 'slow';
    return {
      node: place.name,
      said,
      text,
      time,
      what: `${WORDS[fault]}${fault === 'slow' && late ? ` (${time} for one query)` : said || text ? ` (${(said || text).slice(0, 160)})` : ''}`,
      hint: HINTS[fault],
    };
  },

  fixes: [
    {
      say: 'See which datastore is set, and try it by hand',
      risk: 'reads-only',
      steps: [
        {
          say: 'the endpoint k3s is given; none means the file server/db/state.db',
          run: 'grep -rhoE "datastore-endpoint[=: ]+[^ ]+" /etc/rancher/k3s/ /etc/systemd/system/k3s.service /etc/systemd/system/k3s.service.env | sed -E "s#//[^@]+@#//…@#"; ls -lh /var/lib/rancher/k3s/server/db/',
          on: 'node',
        },
        {
          say: 'an outside database: does its port answer from here',
          run: 'nc -vz -w 3 DATABASE-HOST 3306; nc -vz -w 3 DATABASE-HOST 5432',
          on: 'node',
        },
      ],
    },
    {
      say: 'SQLite: stop k3s, keep a copy, then check the file; restore the copy of the folder server/db that you have if it is damaged',
      risk: 'touches-node',
      for: ['damaged'],
      steps: [
        {
          say: 'copy and check',
          run: 'systemctl stop k3s && cp -a /var/lib/rancher/k3s/server/db /var/lib/rancher/k3s/server/db.before && sqlite3 /var/lib/rancher/k3s/server/db/state.db "pragma integrity_check"',
          on: 'node',
        },
        {
          say: 'slow on a large file: compact it while k3s is stopped, and put it on an SSD',
          run: 'sqlite3 /var/lib/rancher/k3s/server/db/state.db "vacuum" && systemctl start k3s',
          on: 'node',
        },
      ],
      verified: 'kubectl get nodes answers, and the journal of k3s has no more Slow SQL',
    },
    {
      say: 'MySQL or PostgreSQL: start it, open its port to this node, or correct user, password and name in --datastore-endpoint',
      risk: 'touches-node',
      steps: [
        {
          say: 'forms: mysql://USER:PASSWORD@tcp(HOST:3306)/NAME and postgres://USER:PASSWORD@HOST:5432/NAME; signs in the password must be percent-encoded',
          run: 'systemctl restart k3s && journalctl -u k3s -n 20 --no-pager',
          on: 'node',
        },
      ],
      verified: 'the journal of k3s says: k3s is up and running',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'k3s-io/kine pkg/drivers, pkg/endpoint/endpoint.go',
    'k3s pkg/cluster/cluster.go, pkg/cluster/storage.go',
    'docs.k3s.io: datastore',
  ],
});

const FAULTS: readonly (readonly [RegExp, Fault])[] = [
  [/malformed|file is not a database|I\/O error/i, 'damaged'],
  [/disk is full|no space left|readonly database|read-only/i, 'full'],
  [/database is locked/i, 'locked'],
  [/too many (?:clients|connections)|remaining connection slots/i, 'many'],
  [/access denied|password authentication failed|no pg_hba|authentication/i, 'login'],
  [/unknown database|database \S{1,100} does not exist/i, 'name'],
  [/x509|tls|certificate|SSL/i, 'tls'],
  [/parse|invalid DSN|unsupported|missing|default addr/i, 'dsn'],
  [
    /connection refused|i\/o timeout|no route|no such host|unreachable|deadline exceeded|bad connection|invalid connection|EOF/i,
    'unreachable',
  ],
];

function faultOf(text: string): Fault {
  return FAULTS.find(([pattern]) => pattern.test(text))?.[1] ?? 'other';
}

const WORDS: Readonly<Record<Fault, string>> = {
  unreachable: 'the database does not answer at its address',
  login: 'the database refuses user or password, or this host',
  name: 'the database of that name does not exist',
  tls: 'the TLS connection to the database is not accepted',
  damaged: 'the file of the SQLite database is damaged',
  full: 'the disk of the database is full or read-only',
  locked: 'the SQLite file is locked: the disk is too slow, or another process has it open',
  many: 'the database gives no more connections',
  slow: 'the database answers slowly',
  missing: 'the table of kine does not exist in it',
  dsn: 'the value of --datastore-endpoint cannot be read',
  other: 'the database refuses',
};
const HINTS: Readonly<Record<Fault, string>> = {
  unreachable: 'It is down, listens on another address, or a firewall stands between.',
  login: 'User, password (percent-encoded) and the grants of the database for the address of this node must fit.',
  name: 'kine makes the database itself only when its user may; otherwise make it by hand.',
  tls: 'Give k3s the CA with --datastore-cafile, and use the name that the certificate holds.',
  damaged: 'That happens when power is lost or the disk (SD card) wears out.',
  full: 'Make room first; k3s goes on by itself.',
  locked: 'SQLite takes one writer at a time; SD cards and network disks are too slow for it.',
  many: 'Raise max_connections, or lower --datastore-max-open-connections.',
  slow: 'Nodes flap and leases are lost when queries take seconds: the disk is slow (SD card, network disk), or the table has grown and was not compacted.',
  missing: 'The endpoint points at another or an empty database.',
  dsn: 'MySQL wants tcp(HOST:PORT) in brackets; signs in passwords must be percent-encoded.',
  other: 'Its own log tells more.',
};
