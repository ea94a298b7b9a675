import { createHash } from 'node:crypto';

/** Secrets that could be told from anything else in a report; made here so that no scanner takes the tests for a leak. */
const planted = new Map<string, string>();

export function secrets(): ReadonlyMap<string, string> {
  return planted;
}

function made(name: string, length: number, alphabet: string): string {
  const bytes = createHash('sha512').update(`podcause ${name}`).digest();
  return Array.from({ length }, (_, index) => alphabet[(bytes[index % bytes.length] ?? 0) % alphabet.length]).join('');
}

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const MIXED = `${LETTERS}23456789`;

/** A password nobody could guess the shape of. */
function password(name: string): string {
  const secret = `Q7${made(name, 14, MIXED)}x3`;
  planted.set(name, secret);
  return secret;
}

/** A token with the shape its issuer gives it; the part after the prefix must not be shown. */
function shaped(name: string, prefix: string, length: number, alphabet = MIXED): string {
  const rest = `4${made(name, length - 1, alphabet)}`;
  planted.set(name, rest);
  return `${prefix}${rest}`;
}

function base64(name: string, user = ''): string {
  const encoded = Buffer.from(`${user}${password(name)}`).toString('base64');
  planted.set(`${name} in base64`, encoded.replace(/=+$/, ''));
  return encoded;
}

const pem = (name: string): string[] => {
  const body = Array.from({ length: 6 }, (_, index) => made(`${name} ${index}`, 64, MIXED));
  for (const [index, line] of body.entries()) planted.set(`${name} line ${index}`, line);
  const frame = (word: string) => `-----${word} RSA PRIVATE ${'KEY'}-----`;
  return [frame('BEGIN'), ...body, frame('END')];
};

const jwt = (name: string) =>
  `${Buffer.from('{"alg":"RS256"}').toString('base64url')}.${Buffer.from(`{"sub":"${name}"}`).toString('base64url')}.${shaped(name, '', 40)}`;

/** Lines of a program that fails and says too much: each is an error, so that each may be cited. */
export function talkativeLog(): string {
  const says = [
    `dial postgres://app:${password('url password')}@db.internal:5432/app failed: connection refused`,
    `login failed: password=${password('log key value')} rejected`,
    `request failed: Authorization: Bearer ${jwt('bearer jwt')}`,
    `request failed: authorization="Basic ${base64('basic auth', 'app:')}"`,
    `upload failed: AWS_SECRET_ACCESS_KEY=${shaped('aws secret', '', 40)} not accepted`,
    `upload failed for key ${shaped('aws key', 'AK'.concat('IA'), 16, 'ABCDEFGHJKLMNPQRSTUVWXYZ234567')}`,
    `push failed: ${shaped('github', 'gh'.concat('p_'), 36)} has expired`,
    `notify failed: ${shaped('slack', 'xo'.concat('xb-'), 30)} is revoked`,
    `charge failed: ${shaped('stripe', 'sk_'.concat('live_'), 24)} is invalid`,
    `publish failed: ${shaped('npm', 'np'.concat('m_'), 36)} may not publish`,
    `call failed: X-Api-Key: ${password('api key header')}`,
    `call failed: Set-Cookie: session=${password('cookie')}; Path=/`,
    `{"level":"error","msg":"cannot log in","user":"app","password":"${password('json log')}"}`,
    `{"level":"error","msg":"cannot log in","request":"{\\"client_secret\\":\\"${password('nested json log')}\\"}"}`,
    `exec failed: mysqladmin --user=root --password ${password('flag')} ping: exit status 1`,
    `exec failed: curl -u deploy:${password('curl')} https://repo.internal/: exit status 22`,
    `dsn root:${password('go dsn')}@tcp(mysql:3306)/shop: access denied`,
    `join failed: kubeadm join 10.0.0.9:6443 --token ${shaped('join token', 'k3v9qz.', 16, 'abcdefghjkmnpqrstuvwxyz23456789')}`,
    `unwrap failed: ${shaped('vault', 'hv'.concat('s.'), 40)} is sealed`,
    `GET https://blob.internal/x?sig=${password('signature')}&se=2031 failed: 403`,
  ];
  const lines = says.map((text, index) => `2031-05-01T10:00:${String(index).padStart(2, '0')}Z ERROR ${text}`);
  return [...lines, '2031-05-01T10:01:00Z ERROR cannot parse key:', ...pem('log key'), '2031-05-01T10:01:01Z FATAL giving up', ''].join(
    '\n',
  );
}

export function describedPod(): string {
  return `Name:         ledger-0
Namespace:    bank
Node:         beech-2/10.0.0.12
Annotations:  example.org/token: ${password('annotation')}
Status:       Running
Containers:
  ledger:
    Image:         registry.internal/ledger:4.2
    Args:
      --db-password=${password('described argument')}
      --listen=:8080
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       Error
      Message:      cannot reach amqp://bus:${password('described message')}@mq:5672
      Exit Code:    1
    Ready:          False
    Restart Count:  9
    Environment:
      DB_PASSWORD:  ${password('described environment')}
      API_TOKEN:    ${password('described token')}
Events:
  Type     Reason   Age                From     Message
  ----     ------   ----               ----     -------
  Warning  Failed   2m (x9 over 20m)   kubelet  Error: failed to start: env SMTP_PASSWORD=${password('event')} is not allowed
  Warning  BackOff  10s (x40 over 20m) kubelet  Back-off restarting failed container ledger in pod ledger-0_bank(1b2c)
`;
}

interface PodOptions {
  readonly name: string;
  readonly waiting?: string;
}

export function podObject(kind: string, { name, waiting = 'CrashLoopBackOff' }: PodOptions): object {
  const applied = JSON.stringify({ spec: { containers: [{ env: [{ name: 'PGPASSWORD', value: password(`${kind} applied`) }] }] } });
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'bank', annotations: { 'kubectl.kubernetes.io/last-applied-configuration': applied } },
    spec: {
      nodeName: 'beech-2',
      containers: [
        {
          name: 'teller',
          image: 'registry.internal/teller:1',
          args: ['--auth-token', password(`${kind} argument`), `--secret-key=${password(`${kind} joined argument`)}`],
          env: [
            { name: 'DB_PASSWORD', value: password(`${kind} environment`) },
            { name: 'REDIS_URL', value: `redis://:${password(`${kind} url`)}@redis:6379/0` },
          ],
        },
      ],
    },
    status: {
      phase: 'Running',
      containerStatuses: [
        {
          name: 'teller',
          ready: false,
          restartCount: 12,
          state: { waiting: { reason: waiting, message: `back-off: token=${password(`${kind} waiting message`)} refused` } },
          lastState: {
            terminated: {
              exitCode: 1,
              reason: 'Error',
              message: `FATAL cannot open postgres://teller:${password(`${kind} last words`)}@db/teller`,
            },
          },
        },
      ],
    },
  };
}

export function secretObjects(): { yaml: string; json: string } {
  const yaml = `apiVersion: v1
kind: Secret
metadata:
  name: ledger-db
  namespace: bank
data:
  username: YXBw
  dsn: ${base64('secret data')}
  tls.key: |
    ${Buffer.from(pem('secret key').join('\n')).toString('base64').slice(0, 76)}
stringData:
  note: ${password('string data')}
  config.ini: |
    user = app
    phrase = ${password('string data block')}
`;
  const json = JSON.stringify(
    { apiVersion: 'v1', kind: 'SecretList', items: [{ kind: 'Secret', metadata: { name: 'x' }, data: { blob: base64('secret list') } }] },
    null,
    2,
  );
  return { yaml, json };
}

export function kubeconfig(): string {
  return `apiVersion: v1
kind: Config
users:
- name: admin
  user:
    client-key-data: ${base64('client key data')}
    token: ${password('kubeconfig token')}
    username: admin
    password: ${password('kubeconfig password')}
- name: robot
  user:
    exec:
      command: aws
      env:
      - name: AWS_SECRET_ACCESS_KEY
        value: ${shaped('kubeconfig exec', '', 40)}
`;
}

export function hostFiles(): Readonly<Record<string, string>> {
  return {
    'config.toml': `version = 2
[plugins."io.containerd.grpc.v1.cri".registry.configs."registry.internal".auth]
  username = "puller"
  password = "${password('containerd password')}"
  identitytoken = "${password('containerd token')}"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
  SystemdCgroup = false
`,
    'daemon.json': `{ "exec-opts": ["native.cgroupdriver=systemd"], "proxies": { "http-proxy": "http://proxy:${password('proxy')}@proxy:3128" } }\n`,
    '.docker/config.json': `{ "auths": { "registry.internal": { "auth": "${base64('docker auth', 'puller:')}" } } }\n`,
    'unit.txt': `# /etc/systemd/system/containerd.service.d/proxy.conf\n[Service]\nEnvironment="HTTPS_PROXY=http://u:${password('unit proxy')}@proxy:3128"\n`,
    'env.txt': `$ kubectl exec ledger-0 -- env\nPATH=/bin\nDB_PASSWORD=${password('env dump')}\nexport SIGNING_KEY='${password('env export')}'\n`,
    'mounted/password': password('mounted file'),
  };
}
