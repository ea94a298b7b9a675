// The stories the project started from, whole as they are: the answer must come first. Then each of their pieces alone.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2];
const expected = {
  '000': [['cgroup-driver-kubelet-systemd-runtime-cgroupfs', 'node ubuntu-2', ['probable', 'possible'], 'kubelet-config']],
  '001': [['cgroup-driver-kubelet-systemd-runtime-cgroupfs'], ['apparmor-denies-runc-signal']],
  '002': [['dockerd-lost-containerd', 'node test-node1', ['possible', 'probable'], 'docker-log']],
  '003': [['host-missing-iscsi-longhorn', 'namespace longhorn-system', ['certain']]],
};
let failed = 0;
const tell = (right, text) => {
  if (!right) failed++;
  console.log(`${right ? 'right' : 'WRONG'}  ${text}`);
};
const diagnose = (args, input) => {
  const { stdout, status } = spawnSync('node', ['dist/cli/main.js', ...args, '-o', 'json'], { encoding: 'utf8', input });
  return { report: status === 3 ? undefined : JSON.parse(stdout), status };
};

for (const [prefix, incidents] of Object.entries(expected)) {
  const file = join(folder, readdirSync(folder).find((name) => name.startsWith(prefix)));
  const { report } = diagnose([file]);
  const said = report.incidents.map(({ cause, place, confidence }) => `${confidence} ${cause} at ${place}`);
  const right = incidents.every(([cause, place, sure, asks], index) => {
    const incident = report.incidents[index];
    return (
      incident?.cause === cause &&
      (!place || incident.place === place) &&
      (!sure || sure.includes(incident.confidence)) &&
      (!asks || incident.asks.some(({ channel }) => channel === asks))
    );
  });
  tell(right, `${prefix} whole: ${said.join('; ')}`);
  for (const [index, piece] of piecesOf(readFileSync(file, 'utf8')).entries()) {
    const { report: own, status } = diagnose(['-'], piece);
    const strange = own?.coverage.unrecognised.reduce((sum, { lines }) => sum + lines[1] - lines[0] + 1, 0) ?? Number.POSITIVE_INFINITY;
    const known = own?.coverage.pieces.map(({ what }) => what) ?? [];
    tell(status !== 3 && known.length > 0 && strange * 4 <= piece.split('\n').length, `${prefix} piece ${index + 1}: ${[...new Set(known)].join(', ')}; ${own?.incidents[0]?.cause ?? own?.verdict}`);
  }
}
const seed = join(folder, readdirSync(folder).find((name) => name.startsWith('000')));
const sure = diagnose([seed, '-'], 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\ncgroupDriver: systemd\n').report.incidents[0];
tell(sure.confidence === 'certain' && sure.cause.startsWith('cgroup-driver'), `000 with the kubelet's configuration beside it: ${sure.confidence}`);
process.exit(failed > 0 ? 1 : 0);

/** Fenced blocks that hold output, and stretches below a prompt. */
function piecesOf(text) {
  const fences = [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)].filter(([, language, body]) => language !== 'shell' && body.trim().split('\n').length > 1).map(([, , body]) => body);
  if (fences.length > 0) return fences;
  const lines = text.split('\n');
  const prompts = lines.flatMap((line, index) => (/^\[\w+@\w+ ~\]\$/.test(line) ? [index] : []));
  return prompts.map((start) => {
    let end = start + 1;
    while (end < lines.length && /^(?:NAME |time=|[\w.-]+ \d+\/\d+ )/.test(lines[end])) end++;
    return lines.slice(start, end).join('\n');
  });
}
