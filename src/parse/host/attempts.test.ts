import { describe, expect, it } from 'vitest';
import { hear, told } from './testing.ts';

const tried = (text: string, command?: string) => told(hear(text, command === undefined ? {} : { command }), 'net.attempt');

describe('attempts to connect', () => {
  it.each([
    [
      'curl: (7) Failed to connect to 10.96.0.1 port 443 after 0 ms: Connection refused',
      { tool: 'curl', target: '10.96.0.1', port: 443, result: 'refused' },
    ],
    [
      'curl: (7) Failed connect to api.example:6443; No route to host',
      { tool: 'curl', target: 'api.example', port: 6443, result: 'no-route' },
    ],
    [
      'curl: (7) Failed to connect to 10.96.0.1 port 443: Network is unreachable',
      { tool: 'curl', target: '10.96.0.1', port: 443, result: 'unreachable' },
    ],
    [
      'curl: (28) Failed to connect to 10.96.0.1 port 443 after 130952 ms: Connection timed out',
      { tool: 'curl', target: '10.96.0.1', port: 443, result: 'timed-out' },
    ],
    [
      'curl: (35) OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to ledger.shop.svc:443 ',
      { tool: 'curl', target: 'ledger.shop.svc', port: 443, result: 'reset' },
    ],
    ['curl: (56) Recv failure: Connection reset by peer', { tool: 'curl', target: '?', result: 'reset' }],
    ['curl: (6) Could not resolve host: registry.example', { tool: 'curl', target: 'registry.example', result: 'unresolved' }],
    [
      'nc: connect to 10.0.0.1 port 6443 (tcp) failed: Connection refused',
      { tool: 'nc', target: '10.0.0.1', port: 6443, result: 'refused' },
    ],
    [
      'nc: connect to 10.0.0.1 port 2049 (tcp) timed out: Operation now in progress',
      { tool: 'nc', target: '10.0.0.1', port: 2049, result: 'timed-out' },
    ],
    ['Connection to 10.0.0.1 6443 port [tcp/*] succeeded!', { tool: 'nc', target: '10.0.0.1', port: 6443, result: 'ok' }],
    ['nc: 10.0.0.1 (10.0.0.1:6443): Connection refused', { tool: 'nc', target: '10.0.0.1', port: 6443, result: 'refused' }],
    ['(UNKNOWN) [10.0.0.1] 6443 (?) : Connection timed out', { tool: 'nc', target: '10.0.0.1', port: 6443, result: 'timed-out' }],
    ["wget: can't connect to remote host (10.96.0.1): Connection refused", { tool: 'wget', target: '10.96.0.1', result: 'refused' }],
    ["wget: bad address 'web.shop'", { tool: 'wget', target: 'web.shop', result: 'unresolved' }],
    ['ssh: connect to host 10.0.0.1 port 22: No route to host', { tool: 'ssh', target: '10.0.0.1', port: 22, result: 'no-route' }],
    ['ping: web.shop: Name or service not known', { tool: 'ping', target: 'web.shop', result: 'unresolved' }],
    ["ping: bad address 'web.shop'", { tool: 'ping', target: 'web.shop', result: 'unresolved' }],
    ['telnet: connect to address 10.0.0.1: Connection refused', { tool: 'telnet', target: '10.0.0.1', result: 'refused' }],
    ['-bash: /dev/tcp/10.0.0.1/6443: No route to host', { tool: 'bash', target: '10.0.0.1', port: 6443, result: 'no-route' }],
  ])('%s', (line, attempt) => {
    expect(tried(line)).toEqual([{ about: 'Node/?', ...attempt }]);
    expect(hear(line).sayings).toHaveLength(1);
  });

  it.each([
    [
      'curl: (28) Connection timed out after 5001 milliseconds',
      'curl -m 5 https://10.96.0.1/version',
      { target: '10.96.0.1', port: 443, result: 'timed-out' },
    ],
    [
      'curl: (60) SSL certificate problem: certificate has expired',
      'curl https://api.example:6443',
      { target: 'api.example', port: 6443, result: 'untrusted' },
    ],
    ['curl: (52) Empty reply from server', 'curl http://10.0.0.9:8080/healthz', { target: '10.0.0.9', port: 8080, result: 'reset' }],
    ['Ncat: Connection timed out.', 'nc -zv 10.0.0.1 2049', { target: '10.0.0.1', port: 2049, result: 'timed-out' }],
    ['wget: download timed out', 'wget -qO- http://web.shop:8080', { target: 'web.shop', port: 8080, result: 'timed-out' }],
    [
      'telnet: Unable to connect to remote host: No route to host',
      'telnet 10.0.0.1 6443',
      { target: '10.0.0.1', port: 6443, result: 'no-route' },
    ],
    ['HTTP/1.1 403 Forbidden', 'curl -ik https://10.96.0.1/', { target: '10.96.0.1', port: 443, result: 'ok', status: 403 }],
    [
      'clnt_create: RPC: Port mapper failure - Unable to receive: errno 111 (Connection refused)',
      'showmount -e nfs.example',
      { target: 'nfs.example', result: 'refused' },
    ],
  ])('takes whom it tried from the command: %s', (line, command, attempt) => {
    expect(tried(line, command)).toEqual([expect.objectContaining(attempt)]);
  });

  it('knows from where it was tried', () => {
    const line = 'curl: (7) Failed to connect to 10.96.0.1 port 443: Connection refused';
    expect(tried(line, 'kubectl exec -n shop -it web-0 -c app -- curl -k https://10.96.0.1')).toMatchObject([{ about: 'Pod/shop/web-0' }]);
    expect(tried(line, 'kubectl -n shop exec deploy-x -- curl https://10.96.0.1')).toMatchObject([{ about: 'Pod/shop/deploy-x' }]);
    expect(told(hear(line, { node: 'Node/worker-2' }), 'net.attempt')).toMatchObject([{ about: 'Node/worker-2' }]);
  });

  it('leaves logs alone', () => {
    const line = 'curl: (7) Failed to connect to 10.96.0.1 port 443: Connection refused';
    expect(told(hear(line, { channel: 'container-log', pod: 'Pod/shop/web-0' }), 'net.attempt')).toEqual([]);
  });

  it('reads telnet as it is typed', () => {
    const heard = hear("Trying 10.0.0.1...\nConnected to 10.0.0.1.\nEscape character is '^]'.", { command: 'telnet 10.0.0.1 6443' });
    expect(told(heard, 'net.attempt')).toEqual([{ about: 'Node/?', tool: 'telnet', target: '10.0.0.1', port: 6443, result: 'ok' }]);
    expect(tried('Trying 10.0.0.1...\ntelnet: Unable to connect to remote host: Connection refused')).toMatchObject([
      { target: '10.0.0.1', result: 'refused' },
    ]);
  });
});

describe('ping', () => {
  const ping = (middle: string, summary: string) =>
    `PING web.shop (10.244.1.5) 56(84) bytes of data.\n${middle}\n\n--- web.shop ping statistics ---\n${summary}`;

  it.each([
    ['64 bytes from 10.244.1.5: icmp_seq=1 ttl=63 time=0.5 ms', '1 packets transmitted, 1 received, 0% packet loss, time 0ms', 'ok'],
    ['', '3 packets transmitted, 0 received, 100% packet loss, time 2044ms', 'timed-out'],
    [
      'From 10.0.0.5 icmp_seq=1 Destination Host Unreachable',
      '2 packets transmitted, 0 received, +2 errors, 100% packet loss, time 1012ms',
      'no-route',
    ],
    [
      'From 10.0.0.9 icmp_seq=1 Destination Host Prohibited',
      '2 packets transmitted, 0 received, +2 errors, 100% packet loss, time 1012ms',
      'filtered',
    ],
  ])('%s %s', (middle, summary, result) => {
    expect(tried(ping(middle, summary))).toEqual([{ about: 'Node/?', tool: 'ping', target: 'web.shop', address: '10.244.1.5', result }]);
  });

  it('gives no result where none was pasted', () => {
    expect(tried('PING 10.0.0.1 (10.0.0.1) 56(84) bytes of data.')).toEqual([]);
  });
});

describe('names', () => {
  it('are found where BusyBox also prints the domains that fail', () => {
    expect(
      tried(
        "Server:\t\t10.96.0.10\nAddress:\t10.96.0.10:53\n\n** server can't find ledger.cluster.local: NXDOMAIN\n\nName:\tledger.shop.svc.cluster.local\nAddress: 10.96.4.4\n\n** server can't find ledger.svc.cluster.local: NXDOMAIN",
      ),
    ).toMatchObject([{ target: 'ledger.shop.svc.cluster.local', result: 'ok' }]);
  });

  it('are looked up by nslookup', () => {
    expect(
      tried('Server:\t\t10.96.0.10\nAddress:\t10.96.0.10#53\n\nName:\tkubernetes.default.svc.cluster.local\nAddress: 10.96.0.1'),
    ).toEqual([
      {
        about: 'Node/?',
        tool: 'nslookup',
        target: 'kubernetes.default.svc.cluster.local',
        result: 'ok',
        address: '10.96.0.1',
        server: '10.96.0.10',
      },
    ]);
    expect(tried("Server:\t\t10.96.0.10\nAddress:\t10.96.0.10#53\n\n** server can't find web.shop: NXDOMAIN")).toEqual([
      { about: 'Node/?', tool: 'nslookup', target: 'web.shop', result: 'unresolved', server: '10.96.0.10' },
    ]);
    expect(
      tried(
        ';; connection timed out; no servers could be reached\n\ncommand terminated with exit code 1',
        'kubectl exec -it dnsutils -- nslookup kubernetes.default',
      ),
    ).toEqual([{ about: 'Pod/?/dnsutils', tool: 'nslookup', target: 'kubernetes.default', result: 'timed-out' }]);
    expect(tried("Server:    10.96.0.10\nAddress 1: 10.96.0.10\n\nnslookup: can't resolve 'kubernetes.default'")).toMatchObject([
      { target: 'kubernetes.default', result: 'unresolved' },
    ]);
    expect(tried(';; communications error to 10.96.0.10#53: connection refused', 'nslookup web.shop')).toMatchObject([
      { target: 'web.shop', result: 'refused', server: '10.96.0.10' },
    ]);
  });

  it('are looked up by host', () => {
    expect(tried('Host web.shop not found: 3(NXDOMAIN)')).toEqual([
      { about: 'Node/?', tool: 'nslookup', target: 'web.shop', result: 'unresolved' },
    ]);
  });

  it('are looked up by dig', () => {
    const head = '; <<>> DiG 9.18.1 <<>> @10.96.0.10 web.shop.svc.cluster.local\n; (1 server found)\n;; global options: +cmd\n';
    expect(tried(`${head};; connection timed out; no servers could be reached`)).toEqual([
      { about: 'Node/?', tool: 'dig', target: 'web.shop.svc.cluster.local', result: 'timed-out', server: '10.96.0.10' },
    ]);
    const answer = (status: string, more: string) =>
      `${head};; Got answer:\n;; ->>HEADER<<- opcode: QUERY, status: ${status}, id: 4242\n\n;; QUESTION SECTION:\n;web.shop.svc.cluster.local. IN A\n${more}\n;; SERVER: 10.96.0.10#53(10.96.0.10)`;
    expect(tried(answer('NXDOMAIN', ''))).toMatchObject([{ result: 'unresolved' }]);
    expect(tried(answer('NOERROR', '\n;; ANSWER SECTION:\nweb.shop.svc.cluster.local. 30 IN A 10.96.7.7\n'))).toMatchObject([
      { result: 'ok', address: '10.96.7.7' },
    ]);
  });
});

describe('openssl s_client', () => {
  it('tells whether the certificate is accepted', () => {
    const text = `CONNECTED(00000003)
depth=0 CN = kube-apiserver
verify error:num=10:certificate has expired
notAfter=Jan  5 10:00:00 2024 GMT
verify return:1
---
    Verify return code: 10 (certificate has expired)`;
    expect(tried(text, 'openssl s_client -connect 10.0.0.1:6443')).toEqual([
      { about: 'Node/?', tool: 'openssl', target: '10.0.0.1', port: 6443, result: 'untrusted' },
    ]);
    const fine = 'CONNECTED(00000003)\n---\n    Verify return code: 0 (ok)';
    expect(tried(fine, 'openssl s_client -connect api.example:443 -servername x')).toMatchObject([{ target: 'api.example', result: 'ok' }]);
  });
});

describe('nslookup of BusyBox', () => {
  it('does not mind that the server itself has no name', () => {
    const found = `nslookup: can't resolve '(null)': Name does not resolve

Name:      kubernetes
Address 1: 10.96.0.1 kubernetes.default.svc.cluster.local`;
    const missing = `nslookup: can't resolve '(null)': Name does not resolve
nslookup: can't resolve 'shop.example': Name does not resolve`;
    expect(tried(found)).toMatchObject([{ target: 'kubernetes', result: 'ok' }]);
    expect(tried(missing)).toMatchObject([{ target: 'shop.example', result: 'unresolved' }]);
  });
});
