import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { tarBytes, zipBytes } from '../../src/collect/testing-archives.ts';

const TABLE = 'NAME     READY   STATUS             RESTARTS      AGE\ncart-0   0/1     CrashLoopBackOff   12 (40s ago)  38m\n';

const pod = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'shop' },
  spec: { containers: [{ name: 'app' }] },
  status: { phase: 'Running', containerStatuses: [{ name: 'app', ready: true, restartCount: 0, state: { running: {} } }] },
});

const podList = (count: number) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'List', items: Array.from({ length: count }, (_, index) => pod(`p-${index}`)) }, null, 1);

function aliasBomb(): string {
  const levels = Array.from({ length: 12 }, (_, index) => {
    const inner =
      index === 0
        ? 'lol'
        : Array(9)
            .fill(`*a${index - 1}`)
            .join(', ');
    return `a${index}: &a${index} [${inner}]`;
  });
  return `apiVersion: v1\nkind: Pod\nmetadata: {name: bomb}\n${levels.join('\n')}\nspec: *a11\n`;
}

/** `为 "web-0" 拉取镜像失败：未找到` in GBK, which only Windows writes. */
const GBK_SENTENCE = Buffer.from('ceaa20227765622d302220c0adc8a1beb5cff1caa7b0dca3baceb4d5d2b5bd0a', 'hex');

/** Evidence as broken disks, pipes, editors and enemies leave it, by the name it is written under. */
export function damagedFiles(): Readonly<Record<string, Uint8Array | string>> {
  const list = podList(200);
  return {
    'cut.json': list.slice(0, list.length >> 1),
    'cut.yaml': 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: "cut\n  labels: [a, {b: ',
    'cut.gz': gzipSync(list).subarray(0, 700),
    'random.bin': randomBytes(50_000),
    'picture.png': Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'),
    'utf16le.txt': Buffer.from(`\ufeff${TABLE}`, 'utf16le'),
    'utf16be.txt': Buffer.from(`\ufeff${TABLE}`, 'utf16le').swap16(),
    'gbk.txt': Buffer.concat([Buffer.from('2031-05-01T10:00:00Z ERROR '), GBK_SENTENCE]),
    'empty.txt': '',
    'newlines.txt': '\n'.repeat(5000),
    'carriage-returns.txt': TABLE.replaceAll('\n', '\r'),
    'holes.log': Buffer.concat([
      Buffer.from('2031-05-01T10:00:00Z INFO up\n'),
      Buffer.alloc(20_000),
      Buffer.from('\n2031-05-01T10:09:00Z INFO down\n'),
    ]),
    'zeros.log': Buffer.alloc(100_000),
    'long-line.log': `2031-05-01T10:00:00Z ERROR ${'x'.repeat(20_000_000)}`,
    'blanks.log': `${' '.repeat(400_000)}\n${'\t'.repeat(400_000)}|`,
    'deep.json': `{"kind":"Pod","a":${'['.repeat(200_000)}`,
    'deep-closed.json': `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"deep"},"spec":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`,
    'deep.yaml': `apiVersion: v1\nkind: Pod\nspec: ${'['.repeat(50_000)}`,
    'deep-indent.yaml': `apiVersion: v1\nkind: Pod\n${Array.from({ length: 1500 }, (_, index) => `${' '.repeat(index)}a:`).join('\n')}\n`,
    'aliases.yaml': aliasBomb(),
    'cycle.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: &m\n  name: loop\n  labels: *m\n',
    'merge.yaml': `apiVersion: v1\nkind: Pod\nx: &x {a: 1}\nspec:\n${'  <<: *x\n'.repeat(3000)}`,
    'keys.json': `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"many"},"data":{${Array.from({ length: 100_000 }, (_, index) => `"k${index}":"v"`).join(',')}}}`,
    'proto.json':
      '{"apiVersion":"v1","kind":"Pod","__proto__":{"polluted":"yes"},"metadata":{"name":"__proto__","namespace":"constructor","labels":{"__proto__":{"polluted":"yes"}}},"spec":{"containers":[{"name":"toString"}]},"status":{"phase":"hasOwnProperty","containerStatuses":[{"name":"toString","restartCount":3,"state":{"waiting":{"reason":"__proto__"}}}]}}',
    'proto.yaml': 'apiVersion: v1\nkind: Pod\n__proto__: {polluted: yes}\nmetadata:\n  name: valueOf\n  __proto__: {polluted: yes}\n',
    'strange-types.json': '{"apiVersion":[],"kind":{},"metadata":7,"items":"x","status":null,"spec":[[[]]]}',
    'strange-pod.json':
      '{"apiVersion":"v1","kind":"Pod","metadata":{"name":[1],"namespace":{"a":1},"creationTimestamp":1e999},"spec":{"containers":"x","nodeName":[]},"status":{"containerStatuses":[null,7,{"restartCount":"many","state":[]}],"conditions":{"a":1}}}',
    'lone-surrogate.json': '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"\\ud800\\udfff\\udc00"}}',
    'huge-number.json': `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"n","generation":${'9'.repeat(5000)}}}`,
    'table-of-nothing.txt': `NAME   READY   STATUS   RESTARTS   AGE\n${'web-0\n'.repeat(2000)}`,
    'crazy-ages.txt': 'NAME  READY  STATUS  RESTARTS  AGE\nweb-0  99999999999/1  Running  99999999999999999999 (999999d ago)  9e99y\n',
    'bad.toml': 'version = 2\n[[[plugins]]\nSystemdCgroup = = true\n[a]\n[a]\n"\\uZZZZ" = 1\n',
    'climbing.zip': zipBytes([
      { path: '../../../climbed.txt', body: TABLE },
      { path: 'link', body: '/etc/shadow', symlink: true },
    ]),
    'climbing.tar': tarBytes([
      { path: '/etc/climbed.txt', body: TABLE },
      { path: 'shadow', type: 'SymbolicLink', linkpath: '/etc/shadow' },
      { path: 'lying', body: 'x', size: 5_000_000_000 },
    ]),
    'bomb.gz': gzipSync(Buffer.alloc(150_000_000, 'a')),
    'bomb.zip': zipBytes([{ path: 'bomb.log', body: Buffer.alloc(150_000_000, 'b') }]),
    'russian-doll.tar': tarBytes([
      {
        path: 'a.tar',
        body: tarBytes([{ path: 'b.tar', body: tarBytes([{ path: 'c.tar', body: tarBytes([{ path: 'd', body: 'd' }]) }]) }]),
      },
    ]),
    'liar.zip': 'PK\x03\x04 is how this text begins',
    'liar.gz': Buffer.from([0x1f, 0x8b, 0x08, 0xff, 1, 2, 3, 4, 5, 6]),
  };
}
