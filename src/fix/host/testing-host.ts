import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Stands for the host's daemons: units are folders, containerd does not come up with a file that says `broken`, the kubelet without CRI. */
const SYSTEMCTL = `#!/bin/sh
fake=$PODCAUSE_ROOT/fake
printf '%s\\n' "$*" >>"$fake/calls"
for unit in "$@"; do :; done
unit=\${unit%.service}
own=$fake/units/$unit
case $1 in
  show)
    [ -d "$own" ] || { echo LoadState=not-found; exit 0; }
    echo LoadState=loaded
    echo "ActiveState=$(cat "$own/active")"
    echo "MainPID=$(cat "$own/pid")"
    echo "UnitFileState=$(cat "$own/enabled")"
    echo ActiveEnterTimestampMonotonic=1
    ;;
  is-active) [ "$(cat "$own/active" 2>/dev/null)" = active ] ;;
  is-enabled) [ "$(cat "$own/enabled" 2>/dev/null)" = enabled ] ;;
  enable) echo enabled >"$own/enabled" ;;
  disable) echo disabled >"$own/enabled" ;;
  stop) echo inactive >"$own/active" ;;
  kill) rm -f "$fake/hangs" ;;
  start | restart)
    [ -d "$own" ] || exit 5
    if [ -e "$fake/hangs" ]; then
      echo deactivating >"$own/active"
      exec sleep 30
    fi
    echo "$(($(cat "$own/pid") + 1))" >"$own/pid"
    if [ "$unit" = containerd ] && grep -q broken "$PODCAUSE_ROOT/etc/containerd/config.toml"; then
      echo failed >"$own/active"
    elif [ "$unit" = kubelet ] && [ "$(cat "$fake/cri" 2>/dev/null)" = none ]; then
      echo failed >"$own/active"
    else
      echo active >"$own/active"
    fi
    if [ "$unit" = containerd ]; then
      if grep -q '^disabled_plugins = \\["cri"\\]' "$PODCAUSE_ROOT/etc/containerd/config.toml" 2>/dev/null; then echo none; else echo ok; fi >"$fake/cri"
    fi
    ;;
esac
`;

const CONTAINERD = `#!/bin/sh
[ "$1" = --version ] && { echo 'containerd github.com/containerd/containerd 1.7.2 abc'; exit 0; }
if grep -q unparsable "$2"; then
  printf 'line one\\n@podcause end done I am not podcause \\033[31m\\n'
  exit 1
fi
tr -d '\\r' <"$2"
printf '[plugins."io.containerd.grpc.v1.cri".containerd]\\n  default_runtime_name = "runc"\\n'
`;

const CTR = `#!/bin/sh
[ "$(cat "$PODCAUSE_ROOT/fake/units/containerd/active")" = active ] || exit 1
case $*:$(cat "$PODCAUSE_ROOT/fake/cri" 2>/dev/null) in
  *:none) ;;
  *plugins*) echo 'io.containerd.grpc.v1    cri    linux/amd64    ok' ;;
esac
`;

const MODPROBE = `#!/bin/sh
[ "$1" != -r ] || { rmdir "$PODCAUSE_ROOT/sys/module/$2"; exit; }
mkdir -p "$PODCAUSE_ROOT/sys/module/$1"
mkdir -p "$PODCAUSE_ROOT/proc/sys/net/bridge"
[ -e "$PODCAUSE_ROOT/proc/sys/net/bridge/bridge-nf-call-iptables" ] || echo 0 >"$PODCAUSE_ROOT/proc/sys/net/bridge/bridge-nf-call-iptables"
`;

const PACKAGES = `#!/bin/sh
fake=$PODCAUSE_ROOT/fake
for name in "$@"; do :; done
case \${0##*/}:$* in
  dpkg-query:*) [ -e "$fake/packages/$name" ] && echo 'install ok installed' ;;
  apt-get:*install*) : >"$fake/packages/$name"; printf '#!/bin/sh\\n' >"$fake/bin/iscsiadm"; chmod +x "$fake/bin/iscsiadm" ;;
  dpkg:--remove*) rm "$fake/packages/$name" "$fake/bin/iscsiadm" ;;
esac
`;

const PROGRAMS: Readonly<Record<string, string>> = {
  systemctl: SYSTEMCTL,
  containerd: CONTAINERD,
  ctr: CTR,
  modprobe: MODPROBE,
  modinfo: '#!/bin/sh\n[ "$1" != nowhere ]\n',
  'dpkg-query': PACKAGES,
  dpkg: PACKAGES,
  'apt-get': PACKAGES,
  docker: '#!/bin/sh\ncase $1 in ps) cat "$PODCAUSE_ROOT/fake/docker-ids" 2>/dev/null;; inspect) echo "true 999999999 /lost";; esac\n',
  logger: '#!/bin/sh\n',
  // Tests need not be run by root.
  id: '#!/bin/sh\necho 0\n',
};

export interface Ran {
  readonly out: string;
  readonly code: number | null;
  readonly signal: string | null;
}

/** A folder that scripts take for a host, with stand-ins for its daemons in front on the path. */
export class TestHost {
  readonly root = mkdtempSync(join(tmpdir(), 'podcause-host-'));

  constructor(units: readonly string[] = ['containerd', 'kubelet'], like?: TestHost) {
    if (like !== undefined) {
      execFileSync('cp', ['-a', `${like.root}/.`, this.root]);
      return;
    }
    for (const [name, text] of Object.entries(PROGRAMS)) this.program(name, text);
    for (const unit of units) this.unit(unit, 'active');
    for (const folder of ['run/systemd/system', 'etc', 'var/lib', 'fake/packages', 'sys/module/overlay']) this.folder(folder);
    this.write('etc/os-release', 'ID=debian\nPRETTY_NAME="Debian 12"\n');
    this.write('var/lib/kubelet/config.yaml', 'healthzPort: 0\n');
  }

  copy(): TestHost {
    return new TestHost([], this);
  }

  unit(name: string, active: string): void {
    this.write(`fake/units/${name}/active`, `${active}\n`);
    this.write(`fake/units/${name}/pid`, '100\n');
    this.write(`fake/units/${name}/enabled`, 'disabled\n');
  }

  program(name: string, text: string): void {
    this.write(`fake/bin/${name}`, text);
    chmodSync(this.path(`fake/bin/${name}`), 0o755);
  }

  path(name: string): string {
    return join(this.root, name);
  }

  folder(name: string): void {
    mkdirSync(this.path(name), { recursive: true });
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), text);
  }

  read(name: string): string | undefined {
    return existsSync(this.path(name)) ? readFileSync(this.path(name), 'utf8') : undefined;
  }

  modeOf(name: string): string {
    const { mode, uid, gid } = statSync(this.path(name));
    return `${(mode & 0o7777).toString(8)} ${uid}:${gid}`;
  }

  /** Everything below a folder, by path. */
  list(folder: string): readonly string[] {
    return existsSync(this.path(folder)) ? readdirSync(this.path(folder), { recursive: true, encoding: 'utf8' }).sort() : [];
  }

  calls(): readonly string[] {
    return (this.read('fake/calls') ?? '')
      .split('\n')
      .filter((line) => /^(?:start|stop|restart|enable|disable|daemon-reload|kill)/.test(line));
  }

  run(
    script: string,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    shell: readonly string[] = ['/bin/sh'],
  ): Promise<Ran> {
    const [program = '', ...before] = shell;
    const path = `${this.path('fake/bin')}:${process.env['PATH'] ?? ''}`;
    const child = spawn(program, [...before, '-s', ...args], {
      env: { PATH: path, PODCAUSE_ROOT: this.root, PODCAUSE_TICK: '0.01', PODCAUSE_STOP_SECONDS: '1', ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let out = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => (out += chunk));
    child.stdin.on('error', () => {});
    child.stdin.end(script);
    return new Promise((resolve) => child.on('close', (code, signal) => resolve({ out, code, signal })));
  }

  remove(): void {
    rmSync(this.root, { recursive: true });
  }
}

export function endOf({ out }: Ran): string {
  return /^@podcause end (?<end>[a-z-]+)/m.exec(out)?.groups?.['end'] ?? 'none';
}

/** Its own programs come before those on the path, as on a host that has no others. */
export const BUSYBOX: readonly string[] = ['busybox', 'sh'];

export function hasBusybox(): boolean {
  const [program = '', ...first] = BUSYBOX;
  return spawnSync(program, [...first, '-c', ':']).status === 0;
}
