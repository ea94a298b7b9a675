import { describe, expect, it } from 'vitest';
import { redactLine, redactText } from './redact.ts';

/** Made up for these tests; each must vanish wherever it is planted. */
const JWT = 'eyJhbGciOiJSUzI1NiIsImtpZCI6IngxIn0.eyJpc3MiOiJrdWJlcm5ldGVzL3NlcnZpY2VhY2NvdW50In0.c2lnbmF0dXJlLW1hZGUtdXA';
const BASE64 = 'cGxhbnRlZC1zZWNyZXQtdmFsdWU=';

describe('secrets on one line', () => {
  it.each([
    ['bearer token', 'Authorization: Bearer 3f9a7c2e1b8d4f60', 'Authorization: Bearer ‹redacted:token›'],
    [
      'curl with a header',
      `curl -H "Authorization: Bearer ${JWT}" https://10.0.0.1:6443/api`,
      'curl -H "Authorization: Bearer ‹redacted:jwt›" https://10.0.0.1:6443/api',
    ],
    ['a token of a service account', `token:      ${JWT}`, 'token:      ‹redacted:jwt›'],
    ['a token in the middle of a line', `got ${JWT} from cache`, 'got ‹redacted:jwt› from cache'],
    ['basic authorization', 'Authorization: Basic YWRtaW46c3dvcmRmaXNo', 'Authorization: Basic ‹redacted:basic-auth›'],
    [
      'digest authorization',
      'authorization: Digest username="bob", response="6629"',
      'authorization: Digest ‹redacted:authorization›',
    ],
    ['kubeconfig token', '    token: q8w7e6r5t4', '    token: ‹redacted:token›'],
    ['kubeconfig key', `    client-key-data: ${BASE64}`, '    client-key-data: ‹redacted:credential›'],
    ['kubeconfig certificate', `    client-certificate-data: ${BASE64}`, '    client-certificate-data: ‹redacted:credential›'],
    ['kubeconfig password', '    password: correct horse battery', '    password: ‹redacted:password›'],
    ['auth provider token', '        refresh-token: 1//0gAbCdEf', '        refresh-token: ‹redacted:token›'],
    ['an environment variable in describe', '      DB_PASSWORD:      swordfish', '      DB_PASSWORD:      ‹redacted:password›'],
    ['env file', 'export REDIS_PASS=swordfish', 'export REDIS_PASS=‹redacted:password›'],
    ['quoted env file', "MYSQL_ROOT_PASSWORD='sword fish'", "MYSQL_ROOT_PASSWORD='‹redacted:password›'"],
    ['systemd unit', 'Environment="API_TOKEN=a1b2c3d4"', 'Environment="API_TOKEN=‹redacted:token›"'],
    [
      'json',
      '{"user":"bob","password":"sword\\"fish","port":5432}',
      '{"user":"bob","password":"‹redacted:password›","port":5432}',
    ],
    [
      'json in json',
      '{"msg":"{\\"token\\":\\"a1b2c3\\",\\"ok\\":true}"}',
      '{"msg":"{\\"token\\":\\"‹redacted:token›\\",\\"ok\\":true}"}',
    ],
    [
      'env entry in compact json',
      '{"name":"DB_PASSWORD","value":"swordfish"},{"name":"PORT","value":"80"}',
      '{"name":"DB_PASSWORD","value":"‹redacted:password›"},{"name":"PORT","value":"80"}',
    ],
    [
      'env entry in a Go struct',
      'EnvVar{Name:DB_PASSWORD,Value:swordfish,ValueFrom:nil,}',
      'EnvVar{Name:DB_PASSWORD,Value:‹redacted:password›,ValueFrom:nil,}',
    ],
    ['Go struct', '{Host:db Password:swordfish Port:5432}', '{Host:db Password:‹redacted:password› Port:5432}'],
    ['logfmt', 'level=info user=bob api_key=abcdefgh msg="ok"', 'level=info user=bob api_key=‹redacted:key› msg="ok"'],
    ['quoted logfmt', 'msg="login" "token"="a1b2 c3"', 'msg="login" "token"="‹redacted:token›"'],
    ['flag', 'etcdctl --password=swordfish get /', 'etcdctl --password=‹redacted:password› get /'],
    ['flag with a blank', 'app --client-secret swordfish --verbose', 'app --client-secret ‹redacted:password› --verbose'],
    ['flag in an array', '["app","--password","swordfish","-v"]', '["app","--password","‹redacted:password›","-v"]'],
    [
      'helm set',
      'helm upgrade x --set db.password=swordfish,image.tag=1.2',
      'helm upgrade x --set db.password=‹redacted:password›,image.tag=1.2',
    ],
    ['toml', '  password = "swordfish"', '  password = "‹redacted:password›"'],
    ['xml', '<server><password>swordfish</password></server>', '<server><password>‹redacted:password›</password></server>'],
    ['sentence', '10:00 login with password: sw0rdf1sh failed', '10:00 login with password: ‹redacted:password› failed'],
    ['end of a sentence', '10:00 trying password: swordfish', '10:00 trying password: ‹redacted:password›'],
    [
      'url',
      'dial https://bob:swordfish@registry.example.org/v2/',
      'dial https://bob:‹redacted:url-password›@registry.example.org/v2/',
    ],
    [
      'postgres url',
      'DATABASE_URL=postgres://app:p@ss:w0rd@db:5432/app?sslmode=off',
      'DATABASE_URL=postgres://app:‹redacted:url-password›@db:5432/app?sslmode=off',
    ],
    ['redis url', 'redis://:swordfish@cache:6379/0', 'redis://:‹redacted:url-password›@cache:6379/0'],
    [
      'mongodb url',
      'mongodb+srv://app:sw%40rd@cluster0.example.net',
      'mongodb+srv://app:‹redacted:url-password›@cluster0.example.net',
    ],
    ['amqp url with a slash', 'amqp://app:sw/ord@mq:5672/%2f', 'amqp://app:‹redacted:url-password›@mq:5672/%2f'],
    ['Go driver', 'app:swordfish@tcp(db:3306)/shop', 'app:‹redacted:url-password›@tcp(db:3306)/shop'],
    [
      'jdbc',
      'jdbc:postgresql://db/app?user=app&password=swordfish&ssl=true',
      'jdbc:postgresql://db/app?user=app&password=‹redacted:password›&ssl=true',
    ],
    [
      'connection string',
      'Server=db;User Id=app;Password=sword;Encrypt=yes',
      'Server=db;User Id=app;Password=‹redacted:password›;Encrypt=yes',
    ],
    [
      'storage account',
      `AccountName=logs;AccountKey=${BASE64};EndpointSuffix=core.example.net`,
      'AccountName=logs;AccountKey=‹redacted:key›;EndpointSuffix=core.example.net',
    ],
    [
      'service bus',
      `SharedAccessKeyName=root;SharedAccessKey=${BASE64}`,
      'SharedAccessKeyName=root;SharedAccessKey=‹redacted:key›',
    ],
    ['aws key id', 'using AKIAQ3EGRIZ5PLM2XYZW for s3', 'using ‹redacted:aws-key› for s3'],
    ['aws secret', 'aws_secret_access_key = wJalrXUtnFEMIK7MDENGbPxRfiCYzzzz', 'aws_secret_access_key = ‹redacted:key›'],
    [
      'azure signature',
      'https://x.blob.example.net/c?sv=2022&sig=aB%2Bc%3D&se=2031',
      'https://x.blob.example.net/c?sv=2022&sig=‹redacted:signature›&se=2031',
    ],
    [
      'github',
      'git clone https://ghp_0123456789abcdefghijABCDEFGHIJ@git.example.org/x',
      'git clone https://‹redacted:github-token›@git.example.org/x',
    ],
    ['gitlab', 'token glpat-aB3dE5gH7jK9mN1pQ3s used', 'token ‹redacted:gitlab-token› used'],
    ['slack', 'post as xoxb-123456789012-abcdefABCDEF', 'post as ‹redacted:slack-token›'],
    [
      'npm',
      '//registry.example.org/:_authToken=npm_abcdefghijklmnopqrstuvwxyz0123456789',
      '//registry.example.org/:_authToken=‹redacted:npm-token›',
    ],
    ['docker hub', 'docker login -u bob with dckr_pat_aBcDeFgHiJkLmNoPqRs', 'docker login -u bob with ‹redacted:docker-token›'],
    [
      'docker config',
      '{"auths":{"registry.example.org":{"auth":"Ym9iOnN3b3JkZmlzaA=="}}}',
      '{"auths":{"registry.example.org":{"auth":"‹redacted:basic-auth›"}}}',
    ],
    ['docker config in a secret', `  .dockerconfigjson: ${BASE64}`, '  .dockerconfigjson: ‹redacted:credential›'],
    [
      'kubeadm join',
      'kubeadm join 10.0.0.5:6443 --token k3u9xz.q8v5t2m7n4b1c6x0 \\',
      'kubeadm join 10.0.0.5:6443 --token ‹redacted:join-token› \\',
    ],
    [
      'kubeadm token list',
      'k3u9xz.q8v5t2m7n4b1c6x0   23h   2031-05-01T10:00:00Z   authentication,signing',
      '‹redacted:join-token›   23h   2031-05-01T10:00:00Z   authentication,signing',
    ],
    [
      'certificate key',
      '--control-plane --certificate-key 0f1e2d3c4b5a69788796a5b4c3d2e1f0',
      '--control-plane --certificate-key ‹redacted:key›',
    ],
    ['htpasswd', 'bob:$2y$05$abcdefghijklmnopqrstuuE1f2g3h4i5j6k7l8m9n0o1p2q3r4s5t', 'bob:‹redacted:password-hash›'],
    [
      'shadow',
      'root:$6$saltsalt$0123456789abcdefghijABCDEFGHIJ:19000:0:99999:7:::',
      'root:‹redacted:password-hash›:19000:0:99999:7:::',
    ],
    ['cookie', 'Cookie: session=abc123; theme=dark', 'Cookie: ‹redacted:cookie›'],
    ['set-cookie in curl -v', '< Set-Cookie: sid=abc; Path=/; HttpOnly', '< Set-Cookie: ‹redacted:cookie›'],
    [
      'curl user',
      'curl -u bob:swordfish https://registry.example.org/v2/_catalog',
      'curl -u bob:‹redacted:password› https://registry.example.org/v2/_catalog',
    ],
    ['encryption configuration', '        secret: c29tZS1rZXktbWFkZS11cA==', '        secret: ‹redacted:secret›'],
    ['upper-case secret', 'APP_SECRET=my-long-phrase', 'APP_SECRET=‹redacted:secret›'],
    [
      'private key inside json',
      '"private_key": "-----BEGIN PRIVATE KEY-----\\nMIIEvQ\\n-----END PRIVATE KEY-----\\n",',
      '"private_key": "‹redacted:key›",',
    ],
    ['private key in base64', 'tls.key: LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpNSUlF', 'tls.key: ‹redacted:private-key›'],
    ['erlang cookie', 'RABBITMQ_ERLANG_COOKIE=XQRBZKLMNOP', 'RABBITMQ_ERLANG_COOKIE=‹redacted:credential›'],
  ])('%s', (_, line, expected) => {
    expect(redactLine(line).text).toBe(expected);
    expect(redactText(`before\n${line}\nafter`).text).toBe(`before\n${expected}\nafter`);
    expect(redactLine(expected)).toEqual({ text: expected, count: 0 });
  });
});

describe('what must stay', () => {
  it.each([
    'Image ID:  registry.example.org/shop/api@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'docker-pullable://shop/api:1.2.3@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'containerd://4a1e2f3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f7',
    'uid: 7d9f1c1e-52a4-4f0e-9b1a-0c8d6a5e4f3b',
    'commit 3f786850e387550fdab836ed7e6dc881de23001b',
    'MountVolume.SetUp failed for volume "tls" : secret "web-tls" not found',
    'MountVolume.SetUp failed for volume "app-secret" : references non-existent secret key: ca.pem',
    '    SecretName:  calico-node-token-abcde',
    '      secretName: web-tls',
    '  imagePullSecret: regcred-internal',
    '/var/run/secrets/kubernetes.io/serviceaccount from default-token-x7k2p (ro)',
    '      /var/run/secrets/kubernetes.io/serviceaccount from kube-api-access-9x8zt (ro)',
    '    TokenExpirationSeconds:  3607',
    '          expirationSeconds: 3607',
    '  automountServiceAccountToken: false',
    'kubeadm token create --token-ttl 24h0m0s',
    '--discovery-token-ca-cert-hash sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    '--authentication-token-webhook=true',
    '--service-account-key-file=/etc/kubernetes/pki/sa.pub',
    '--kubelet-client-key=/etc/kubernetes/pki/apiserver-kubelet-client.key',
    '    certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUM=',
    'FATAL:  password authentication failed for user "shop"',
    "Access denied for user 'shop'@'10.1.2.3' (using password: YES)",
    'WRONGPASS invalid username-password pair or user is disabled.',
    'error: You must be logged in to the server (the server has asked for the client to provide credentials)',
    'invalid bearer token, service account token has expired',
    'Unable to authenticate the request" err="[invalid bearer token, token lookup failed]"',
    'failed to fetch token: Post "https://10.0.0.1/token": dial tcp 10.0.0.1:443: i/o timeout',
    'Failed to watch *v1.Secret: unknown (get secrets)',
    'object-"shop"/"db-secret": Failed to watch *v1.Secret: failed to list *v1.Secret: secrets "db-secret" is forbidden',
    'Couldn\'t get secret shop/db-credentials: secret "db-credentials" not found',
    'E0411 10:00:00 secret.go:189] Couldn\'t get secret" secret="shop/db-credentials"',
    '"Failed to sync" key="shop/api-7d9f" err="token: invalid"',
    "      DB_PASSWORD:  <set to the key 'password' in secret 'db'>  Optional: false",
    '          name: db-secret',
    '              key: password',
    'password:  16 bytes',
    'token:       912 bytes',
    'Www-Authenticate: Bearer realm="https://registry.example.org/token",service="registry"',
    'image: registry.example.org/tools/my-token:v1.2.3',
    'image: registry.example.org:5000/vault-secret:latest',
    'arn:aws:secretsmanager:eu-west-1:000000000000:secret:prod/db-a1B2c3',
    'PWD=/srv/app',
    'args: --password $(DB_PASSWORD) --token $TOKEN',
    'password: {{ .Values.db.password }}',
    'http://registry.example.org:5000/@scope/package',
    'dial tcp: lookup redis://cache:6379 on 10.96.0.10:53: no such host',
    'git clone ssh://git@git.example.org/x.git',
    'involvedObject: worker.17a3f9d8c2b4e6f1',
    '102400.1234567890123456',
    'the --token flag is required; see --password for details',
    'bypass=true compass: north',
    '{etcdUsername: etcdPassword: version:false kubeSubnetMgr:true}',
    'private key: open /etc/ssl/tls.key: no such file or directory',
    'tls: private key does not match public key',
    'Normal  Issuing  cert-manager  Issuing certificate as Secret does not exist',
    'Type:        Secret (a volume populated by a Secret)',
    'Tokens:              default-token-x7k2p',
    'apiVersion: v1',
    'unexpected token: "}"',
    'author: Basic instructions are in the manual',
    'cookie consent: see the manual',
  ])('%s', (line) => {
    expect(redactLine(line)).toEqual({ text: line, count: 0 });
    expect(redactText(`${line}\n`)).toEqual({ text: `${line}\n`, count: 0 });
  });
});

describe('secrets over several lines', () => {
  it('keeps the first and last line of a private key', () => {
    const text = [
      'key: |',
      '  -----BEGIN RSA PRIVATE KEY-----',
      '  MIIEowIBAAKCAQEA7',
      '  q1w2e3r4t5==',
      '  -----END RSA PRIVATE KEY-----',
      'next: 1',
    ].join('\n');
    expect(redactText(text)).toEqual({
      text: [
        'key: |',
        '  -----BEGIN RSA PRIVATE KEY-----',
        '  ‹redacted:private-key›',
        '  ‹redacted:private-key›',
        '  -----END RSA PRIVATE KEY-----',
        'next: 1',
      ].join('\n'),
      count: 2,
    });
  });

  it('hides a private key that is cut off, and nothing after it', () => {
    const text = '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIAbc\nE0411 10:00:00 real log line: here\n';
    expect(redactText(text).text).toBe(
      '-----BEGIN EC PRIVATE KEY-----\n‹redacted:private-key›\nE0411 10:00:00 real log line: here\n',
    );
  });

  it('leaves certificates', () => {
    const text = '-----BEGIN CERTIFICATE-----\nMIIC4jCCAcqg\n-----END CERTIFICATE-----\n';
    expect(redactText(text).text).toBe(text);
  });

  it('hides the data of a Secret in YAML, wherever its kind stands', () => {
    const text = `apiVersion: v1
items:
- apiVersion: v1
  data:
    username: Ym9i
    config: |
      line one
      line two
  kind: Secret
  metadata:
    name: db
    annotations:
      kubectl.kubernetes.io/last-applied-configuration: |
        {"apiVersion":"v1","data":{"username":"Ym9i"},"kind":"Secret","metadata":{"name":"db"}}
  type: Opaque
- apiVersion: v1
  data:
    colour: blue
  kind: ConfigMap
- kind: Secret
  stringData:
    plain: words
kind: List`;
    expect(redactText(text).text).toBe(`apiVersion: v1
items:
- apiVersion: v1
  data:
    username: ‹redacted:secret-data›
    config: |
      ‹redacted:secret-data›
      ‹redacted:secret-data›
  kind: Secret
  metadata:
    name: db
    annotations:
      kubectl.kubernetes.io/last-applied-configuration: |
        {"apiVersion":"v1","data":{"username":"‹redacted:secret-data›"},"kind":"Secret","metadata":{"name":"db"}}
  type: Opaque
- apiVersion: v1
  data:
    colour: blue
  kind: ConfigMap
- kind: Secret
  stringData:
    plain: ‹redacted:secret-data›
kind: List`);
  });

  it('hides the data of a Secret in JSON, indented, compact or escaped', () => {
    const secret = { apiVersion: 'v1', data: { user: 'Ym9i', 'tls.crt': 'QUJD' }, kind: 'Secret', metadata: { name: 'db' } };
    const configMap = { data: { colour: 'blue' }, kind: 'ConfigMap' };
    const annotated = { ...secret, metadata: { annotations: { 'last-applied': JSON.stringify(secret) } } };
    for (const text of [
      JSON.stringify({ items: [configMap, annotated] }, null, 2),
      JSON.stringify({ items: [annotated, configMap] }),
    ]) {
      const redacted = redactText(text).text;
      expect(redacted).not.toMatch(/Ym9i|QUJD/);
      expect(redacted).toContain('blue');
      expect(JSON.parse(redacted)).toBeDefined();
      expect(redacted.split('\n')).toHaveLength(text.split('\n').length);
    }
  });

  it('hides the data of a SecretList whose items do not say their kind', () => {
    const text = JSON.stringify({ kind: 'SecretList', items: [{ data: { a: 'Ym9i' } }, { metadata: {}, data: { b: 'QUJD' } }] });
    expect(redactText(text).text).not.toMatch(/Ym9i|QUJD/);
  });

  it('hides the data of a Secret that is cut off', () => {
    expect(redactText('{"kind":"Secret","data":{"a":"Ym9i","b":"QUJ').text).toBe(
      '{"kind":"Secret","data":{"a":"‹redacted:secret-data›","b":"‹redacted:secret-data›',
    );
  });

  it('hides the value of an environment variable on the line after its name', () => {
    const text = '        - name: DB_PASSWORD\n          value: swordfish\n        - name: PORT\n          value: "80"\n';
    expect(redactText(text).text).toBe(
      '        - name: DB_PASSWORD\n          value: ‹redacted:secret›\n        - name: PORT\n          value: "80"\n',
    );
    const json = '  {\n    "name": "API_TOKEN",\n    "value": "a b c"\n  },';
    expect(redactText(json).text).toBe('  {\n    "name": "API_TOKEN",\n    "value": "‹redacted:secret›"\n  },');
  });

  it('leaves a reference to a Secret as the value of such a variable', () => {
    const text = '- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      key: password\n      name: db\n';
    expect(redactText(text).text).toBe(text);
  });

  it('hides blocks below a sensitive key, but not a mapping', () => {
    expect(redactText('password: |-\n  one\n  two\nuser: bob').text).toBe(
      'password: |-\n  ‹redacted:secret›\n  ‹redacted:secret›\nuser: bob',
    );
    expect(redactText('secretKey:\n  swordfish\nuser: bob').text).toBe('secretKey:\n  ‹redacted:secret›\nuser: bob');
    const mapping = 'token:\n  audience: api\n  path: token\n';
    expect(redactText(mapping).text).toBe(mapping);
  });

  it('hides the argument on the line after its flag', () => {
    expect(redactText('    Args:\n      --password\n      swordfish\n      --verbose\n').text).toBe(
      '    Args:\n      --password\n      ‹redacted:secret›\n      --verbose\n',
    );
    expect(redactText('- --password\n- --verbose\n').text).toBe('- --password\n- --verbose\n');
  });

  it('hides the certificate key that kubeadm prints below its announcement', () => {
    const key = '0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0';
    expect(redactText(`[upload-certs] Using certificate key:\n${key}\n[mark] done`).text).toBe(
      '[upload-certs] Using certificate key:\n‹redacted:key›\n[mark] done',
    );
  });

  it('hides the rest of a token that a terminal broke into lines', () => {
    const token = `eyJ${'hbGciOiJSUzI1NiIsImtpZCI6'.repeat(8)}`;
    const wrapped = `token:      ${token}`.match(/.{1,80}/g)?.join('\n') ?? '';
    expect(redactText(`${wrapped}\nca.crt:     1066 bytes`).text).toBe(
      'token:      ‹redacted:jwt›\n‹redacted:jwt›\n‹redacted:jwt›\nca.crt:     1066 bytes',
    );
  });
});
