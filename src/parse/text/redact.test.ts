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
    ['digest authorization', 'authorization: Digest username="bob", response="6629"', 'authorization: Digest ‹redacted:authorization›'],
    ['kubeconfig token', '    token: q8w7e6r5t4', '    token: ‹redacted:token›'],
    ['kubeconfig key', `    client-key-data: ${BASE64}`, '    client-key-data: ‹redacted:credential›'],
    ['kubeconfig certificate', `    client-certificate-data: ${BASE64}`, '    client-certificate-data: ‹redacted:credential›'],
    ['kubeconfig password', '    password: correct horse battery', '    password: ‹redacted:password›'],
    ['auth provider token', '        refresh-token: 1//0gAbCdEf', '        refresh-token: ‹redacted:token›'],
    ['an environment variable in describe', '      DB_PASSWORD:      swordfish', '      DB_PASSWORD:      ‹redacted:password›'],
    ['env file', 'export REDIS_PASS=swordfish', 'export REDIS_PASS=‹redacted:password›'],
    ['quoted env file', "MYSQL_ROOT_PASSWORD='sword fish'", "MYSQL_ROOT_PASSWORD='‹redacted:password›'"],
    ['systemd unit', 'Environment="API_TOKEN=a1b2c3d4"', 'Environment="API_TOKEN=‹redacted:token›"'],
    ['json', '{"user":"bob","password":"sword\\"fish","port":5432}', '{"user":"bob","password":"‹redacted:password›","port":5432}'],
    ['json in json', '{"msg":"{\\"token\\":\\"a1b2c3\\",\\"ok\\":true}"}', '{"msg":"{\\"token\\":\\"‹redacted:token›\\",\\"ok\\":true}"}'],
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
    ['a name of an object, by its look', '10:00 password: swordfish9-x was wrong', '10:00 password: ‹redacted:password› was wrong'],
    ['a client secret like a name', '{"clientSecret":"swordfish9.x"}', '{"clientSecret":"‹redacted:password›"}'],
    ['end of a sentence', '10:00 trying password: swordfish', '10:00 trying password: ‹redacted:password›'],
    ['url', 'dial https://bob:swordfish@registry.example.org/v2/', 'dial https://bob:‹redacted:url-password›@registry.example.org/v2/'],
    [
      'postgres url',
      'DATABASE_URL=postgres://app:p@ss:w0rd@db:5432/app?sslmode=off',
      'DATABASE_URL=postgres://app:‹redacted:url-password›@db:5432/app?sslmode=off',
    ],
    ['redis url', 'redis://:swordfish@cache:6379/0', 'redis://:‹redacted:url-password›@cache:6379/0'],
    ['mongodb url', 'mongodb+srv://app:sw%40rd@cluster0.example.net', 'mongodb+srv://app:‹redacted:url-password›@cluster0.example.net'],
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
    ['service bus', `SharedAccessKeyName=root;SharedAccessKey=${BASE64}`, 'SharedAccessKeyName=root;SharedAccessKey=‹redacted:key›'],
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
    ['shadow', 'root:$6$saltsalt$0123456789abcdefghijABCDEFGHIJ:19000:0:99999:7:::', 'root:‹redacted:password-hash›:19000:0:99999:7:::'],
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
