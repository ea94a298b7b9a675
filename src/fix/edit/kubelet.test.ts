import { describe, expect, it } from 'vitest';
import type { Scalar } from '../../model/change.ts';
import { editKubelet } from './kubelet.ts';
import { applySplices } from './splices.ts';

const HEAD = 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n';

const NOT_FIRST = 'The kubelet reads the first document of its file, and that is no KubeletConfiguration.';
const BOMB = `a0: &a0 [x]\n${Array.from({ length: 9 }, (_, at) => `a${at + 1}: &a${at + 1} [${Array(9).fill(`*a${at}`).join(', ')}]\n`).join('')}`;

function edit(text: string, key: string, value: Scalar): string {
  const edited = editKubelet(text, { do: 'kubelet-set', key, value });
  if (!edited.ok) return `refused: ${edited.why}`;
  expect(applySplices(text, edited.splices)).toBe(edited.after);
  expect(editKubelet(edited.after, { do: 'kubelet-set', key, value })).toEqual({ ok: true, after: edited.after, splices: [] });
  return edited.after;
}

describe('a key that is there', () => {
  it.each([
    ['cgroupDriver: cgroupfs # old\n', 'cgroupDriver', 'systemd', 'cgroupDriver: systemd # old\n'],
    ['cgroupDriver: "cgroupfs"\r\nx: 1\r\n', 'cgroupDriver', 'systemd', 'cgroupDriver: "systemd"\r\nx: 1\r\n'],
    ["cgroupDriver: 'cgroupfs'", 'cgroupDriver', 'systemd', "cgroupDriver: 'systemd'"],
    ['cgroupDriver:\nx: 1\n', 'cgroupDriver', 'systemd', 'cgroupDriver: systemd\nx: 1\n'],
    ['cgroupDriver: # none\n# yet\nx: 1\n', 'cgroupDriver', 'systemd', 'cgroupDriver: systemd # none\n# yet\nx: 1\n'],
    ['maxPods: 110\n', 'maxPods', '250', 'maxPods: 250\n'],
    ['failSwapOn: true\n', 'failSwapOn', 'false', 'failSwapOn: false\n'],
    [
      'evictionHard:\n    memory.available: 5%\n',
      'evictionHard.memory.available',
      '100Mi',
      'evictionHard:\n    memory.available: "100Mi"\n',
    ],
    [
      'authentication: {webhook: {enabled: false}}\n',
      'authentication.webhook.enabled',
      true,
      'authentication: {webhook: {enabled: true}}\n',
    ],
  ])('%j', (text, key, value, after) => {
    expect(edit(HEAD + text, key, value)).toBe(HEAD + after);
  });
});

describe('a key that is not there', () => {
  it.each([
    ['x: 1 # c\n# tail\n', 'cgroupDriver', 'systemd', 'x: 1 # c\ncgroupDriver: systemd\n# tail\n'],
    ['x: 1', 'cgroupDriver', 'systemd', 'x: 1\ncgroupDriver: systemd'],
    ['x: |+\n  a\n\n', 'maxPods', 5, 'x: |+\n  a\n\nmaxPods: 5\n'],
    ['x:\n- a\n- b: 1\n  c:\n', 'maxPods', 5, 'x:\n- a\n- b: 1\n  c:\nmaxPods: 5\n'],
    ['x:\n    y: 1\n', 'systemReserved.cpu', 1, 'x:\n    y: 1\nsystemReserved:\n    cpu: "1"\n'],
    ['systemReserved:\nx: 1\n', 'systemReserved.cpu', '1', 'systemReserved:\n  cpu: "1"\nx: 1\n'],
    ['systemReserved: # none\n\nx: 1\n', 'systemReserved.cpu', '1', 'systemReserved: # none\n  cpu: "1"\n\nx: 1\n'],
    ['systemReserved: {}\n', 'systemReserved.cpu', '500m', 'systemReserved: {cpu: "500m"}\n'],
    ['systemReserved: null # none\n', 'systemReserved.cpu', '500m', 'systemReserved: {cpu: "500m"} # none\n'],
    ['featureGates: { A: true }\n', 'featureGates.B.C', 'false', 'featureGates: { A: true, B.C: false }\n'],
    [
      'evictionHard:\n  nodefs.available: 10%\nx: 1\n',
      'evictionHard.a.b',
      '1',
      'evictionHard:\n  nodefs.available: 10%\n  a.b: "1"\nx: 1\n',
    ],
  ])('%j', (text, key, value, after) => {
    expect(edit(HEAD + text, key, value)).toBe(HEAD + after);
  });

  it('in a file that is JSON', () => {
    const text = '{\n  "kind": "KubeletConfiguration",\n  "x": [1]\n}\n';
    expect(edit(text, 'cgroupDriver', 'systemd')).toBe(
      '{\n  "kind": "KubeletConfiguration",\n  "x": [1],\n  "cgroupDriver": "systemd"\n}\n',
    );
  });

  it('in the first of several documents', () => {
    const text = `\uFEFF--- # ours\n${HEAD}...\n---\nb: 1\n`;
    expect(edit(text, 'maxPods', 5)).toBe(`\uFEFF--- # ours\n${HEAD}maxPods: 5\n...\n---\nb: 1\n`);
  });

  it('with the line ending of the line before it', () => {
    expect(edit(`${HEAD}x: 1\r\n`, 'maxPods', 5)).toBe(`${HEAD}x: 1\r\nmaxPods: 5\r\n`);
  });
});

/** In the shape that kubeadm writes. */
const OF_KUBEADM = `apiVersion: kubelet.config.k8s.io/v1beta1
authentication:
  anonymous:
    enabled: false
  webhook:
    cacheTTL: 0s
    enabled: true
authorization:
  mode: Webhook
cgroupDriver: systemd
clusterDNS:
- 10.96.0.10
containerRuntimeEndpoint: ""
evictionPressureTransitionPeriod: 0s
kind: KubeletConfiguration
logging:
  flushFrequency: 0
  options:
    json:
      infoBufferSize: "0"
memorySwap: {}
resolvConf: /run/systemd/resolve/resolv.conf
volumeStatsAggPeriod: 0s
`;

describe('the file of kubeadm', () => {
  it.each([
    ['cgroupDriver', 'cgroupfs', OF_KUBEADM.replace('cgroupDriver: systemd', 'cgroupDriver: cgroupfs')],
    ['resolvConf', '/etc/resolv.conf', OF_KUBEADM.replace('/run/systemd/resolve/resolv.conf', '/etc/resolv.conf')],
    ['authentication.webhook.enabled', false, OF_KUBEADM.replace('enabled: true', 'enabled: false')],
    ['failSwapOn', false, `${OF_KUBEADM}failSwapOn: false\n`],
    ['memorySwap.swapBehavior', 'LimitedSwap', OF_KUBEADM.replace('memorySwap: {}', 'memorySwap: {swapBehavior: LimitedSwap}')],
    ['logging.options.json.splitStream', true, OF_KUBEADM.replace('"0"\n', '"0"\n      splitStream: true\n')],
    ['authentication.x509.clientCAFile', '/etc/ca.crt', OF_KUBEADM.replace('true\n', 'true\n  x509:\n    clientCAFile: /etc/ca.crt\n')],
  ])('%s', (key, value, after) => {
    expect(edit(OF_KUBEADM, key, value)).toBe(after);
  });
});

describe('refuses', () => {
  it.each([
    ['another kind', 'kind: Pod\n', NOT_FIRST],
    ['one that the kubelet does not come to', `a: 1\n---\n${HEAD}`, NOT_FIRST],
    ['an empty first document', `---\n---\n${HEAD}`, NOT_FIRST],
    ['two of them', `${HEAD}---\n${HEAD}`, 'The file holds more than one such document.'],
    ['a key given twice', `${HEAD}x: 1\nx: 2\n`, 'A key is there twice (line 4).'],
    ['an empty file', '', 'The file is empty.'],
    ['a file of comments', '# nothing\n', 'The file is empty.'],
    ['a tab as indentation', `${HEAD}a:\n\tb: 1\n`, 'The file is not valid YAML (line 4).'],
    ['a block as the value', `${HEAD}cgroupDriver: |\n  cgroupfs\n`, 'The value there is written in a way that cannot be replaced alone.'],
    ['a tagged value', `${HEAD}cgroupDriver: !!str cgroupfs\n`, 'The value there is written in a way that cannot be replaced alone.'],
    ['keys merged from elsewhere', `${HEAD}a: &a {b: 1}\n<<: *a\n`, 'The map there takes keys from elsewhere in the file (<<).'],
    ['aliases that blow up', `${HEAD}${BOMB}`, 'The file is nested too deeply, or its aliases make too much of it.'],
    [
      'a file made by something else',
      `# Written by acme-agent; DO NOT EDIT\n${HEAD}`,
      'The file says that it is generated and not to be edited: change what it is made from instead.',
    ],
    ['a list there', `${HEAD}cgroupDriver: [a]\n`, 'The key holds a list or a map there, not a single value.'],
    [
      'a value that others share',
      `${HEAD}cgroupDriver: &a cgroupfs\nb: *a\n`,
      'The value there is written in a way that cannot be replaced alone.',
    ],
    ['a value from elsewhere', `${HEAD}b: &a cgroupfs\ncgroupDriver: *a\n`, 'The key holds a list or a map there, not a single value.'],
  ])('%s', (_name, text, why) => {
    expect(editKubelet(text, { do: 'kubelet-set', key: 'cgroupDriver', value: 'systemd' })).toEqual({ ok: false, why });
  });

  it('a depth that is none of a configuration', () => {
    expect(edit(`${HEAD}a: ${'['.repeat(9000)}${']'.repeat(9000)}\n`, 'maxPods', 5)).toMatch(/^refused: /);
  });

  it('what is no key', () => {
    expect(edit(HEAD, 'a..b', 1)).toBe('refused: That is no key of a KubeletConfiguration.');
  });
});

it('warns of defaults that fall away with the first threshold', () => {
  const change = { do: 'kubelet-set', key: 'evictionHard.memory.available', value: '5%' } as const;
  expect(editKubelet(HEAD, change)).toMatchObject({ notes: [expect.stringContaining('defaults')] });
  expect(editKubelet(`${HEAD}evictionHard:\n  nodefs.available: 10%\n`, change)).not.toHaveProperty('notes');
  expect(editKubelet(`${HEAD}mergeDefaultEvictionSettings: true\n`, change)).not.toHaveProperty('notes');
});
