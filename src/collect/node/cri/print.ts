import type { Container, Refusal, RuntimeVersion, Sandbox, Status } from './runtime.ts';

/** The same as `crictl` prints, so that a host with it and one without give the same evidence. */
export function printVersion({ version, name, runtimeVersion, apiVersion }: RuntimeVersion): string {
  return `Version:  ${version}\nRuntimeName:  ${name}\nRuntimeVersion:  ${runtimeVersion}\nRuntimeApiVersion:  ${apiVersion}\n`;
}

export function printRefusal({ method, words }: Refusal, seconds: number): string {
  return `FATA[${String(Math.round(seconds)).padStart(4, '0')}] ${method} from runtime service failed: ${words}\n`;
}

export function printStatus({ conditions, info }: Status): string {
  const parts: Record<string, unknown> = { status: { conditions } };
  for (const [key, text] of info) parts[key] = withoutSecrets(parsed(text));
  return `${JSON.stringify(parts, undefined, 2)}\n`;
}

export function printDriver(driver: 'SYSTEMD' | 'CGROUPFS' | undefined): string {
  return driver === undefined ? '' : `cgroup driver: ${driver}\n`;
}

export function printSandboxes(sandboxes: readonly Sandbox[], now: number): string {
  const rows = sandboxes.map(({ id, createdAt, ready, name, namespace, attempt }) => [
    id,
    ago(now - createdAt),
    ready ? 'Ready' : 'NotReady',
    name,
    namespace,
    String(attempt),
  ]);
  return table([['POD ID', 'CREATED', 'STATE', 'NAME', 'NAMESPACE', 'ATTEMPT'], ...rows]);
}

export function printContainers(containers: readonly Container[], sandboxes: readonly Sandbox[], now: number): string {
  const pods = new Map(sandboxes.map((sandbox) => [sandbox.id, sandbox]));
  const rows = containers.map(({ id, image, createdAt, state, name, attempt, sandbox }) => {
    const pod = pods.get(sandbox);
    return [
      id,
      image || '-',
      ago(now - createdAt),
      state,
      name,
      String(attempt),
      sandbox,
      pod?.name ?? 'unknown',
      pod?.namespace ?? 'unknown',
    ];
  });
  return table([['CONTAINER', 'IMAGE', 'CREATED', 'STATE', 'NAME', 'ATTEMPT', 'POD ID', 'POD', 'NAMESPACE'], ...rows]);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const SECRET = /^(?:password|auth|identitytoken|token|secret|username)$/i;

/** The runtime's configuration holds what registries are asked with. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    SECRET.test(key) && typeof inner === 'string' && inner !== '' ? '[redacted]' : withoutSecrets(inner),
  ]);
  return Object.fromEntries(entries);
}

const UNITS: readonly (readonly [name: string, seconds: number])[] = [
  ['days', 86_400],
  ['hours', 3600],
  ['minutes', 60],
  ['seconds', 1],
];

function ago(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds / 1000);
  for (const [name, length] of UNITS) {
    const count = Math.floor(seconds / length);
    if (count >= 2) return `${count} ${name} ago`;
  }
  return 'Less than a second ago';
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
