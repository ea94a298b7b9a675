import type { Ran, RunOptions } from '../lab.ts';
import { runCommand } from '../run-command.ts';
import { beside, filesOf, type VmNetwork } from './qemu.ts';

export interface Channel {
  exec(command: string, options?: RunOptions): Promise<Ran>;
  writeFile(path: string, text: string): Promise<void>;
  readFile(path: string): Promise<string>;
  close(): Promise<void>;
}

/** Commands go over ssh; one connection is kept open, because a handshake costs seconds on an emulated processor. */
export function sshArguments(folder: string, address: string): readonly string[] {
  const files = filesOf(folder);
  const settings = [
    'BatchMode=yes',
    'StrictHostKeyChecking=no',
    'UserKnownHostsFile=/dev/null',
    'LogLevel=ERROR',
    'ConnectTimeout=20',
    'ServerAliveInterval=15',
    'ServerAliveCountMax=8',
    'ControlMaster=auto',
    `ControlPath=${files.control}`,
    'ControlPersist=1800',
  ];
  return ['-F', '/dev/null', '-T', '-i', files.key, ...settings.flatMap((setting) => ['-o', setting]), `root@${address}`];
}

/** Single quotes for sh; inside them nothing is special. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

export function openChannel(folder: string, network: VmNetwork): Channel {
  const [program = 'ssh', ...args] = [...beside(network), 'ssh', ...sshArguments(folder, network.address)];
  const exec: Channel['exec'] = (command, options = {}) => {
    const limit = options.timeoutSeconds ?? 120;
    // The guest ends the command itself: a broken connection alone would leave it running there.
    const words = `timeout -k 5 ${limit} sh -c ${quoted(command)}`;
    return runCommand(program, [...args, words], {
      timeoutSeconds: limit + 15,
      ...(options.input === undefined ? {} : { input: options.input }),
    });
  };
  return {
    exec,
    async writeFile(path, text) {
      const place = quoted(path);
      const ran = await exec(`mkdir -p "$(dirname ${place})" && cat > ${place}`, { input: text });
      if (ran.code !== 0) throw new Error(`cannot write ${path}: ${ran.stderr.trim()}`);
    },
    async readFile(path) {
      const ran = await exec(`cat ${quoted(path)}`);
      if (ran.code !== 0) throw new Error(`cannot read ${path}: ${ran.stderr.trim()}`);
      return ran.stdout;
    },
    async close() {
      await runCommand(program, [...args.slice(0, -1), '-O', 'exit', args.at(-1) ?? ''], { timeoutSeconds: 10 });
    },
  };
}
