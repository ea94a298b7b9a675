import { createHash } from 'node:crypto';
import type { Family } from '../../model/change.ts';
import { bytesOf, journalEntry, textOf } from './encoded.ts';
import type { Daemon, HostFile, HostJournalEntry, HostState, Manager } from './host-state.ts';

const MANAGERS: readonly string[] = ['apt-get', 'dnf', 'yum', 'zypper', 'apk'] satisfies Manager[];
const DAEMONS: readonly string[] = ['containerd', 'kubelet', 'docker'] satisfies Daemon[];

const FAMILIES: readonly (readonly [Family, RegExp])[] = [
  ['debian', /^(?:debian|ubuntu|raspbian|linuxmint|pop)$/],
  ['rhel', /^(?:rhel|fedora|centos|rocky|almalinux|ol|amzn|openeuler|anolis)$/],
  ['suse', /^(?:suse|opensuse.*|sles|sled)$/],
  ['alpine', /^alpine$/],
  ['arch', /^(?:arch|archarm|manjaro)$/],
];

class Reading {
  complete = false;
  begun = false;
  node = '';
  family: Family | undefined;
  os = '';
  manager: Manager | undefined;
  hasSystemd = false;
  etcWritable = false;
  dockerSilent = false;
  freeBytes = Number.POSITIVE_INFINITY;
  containerdSocket = '/run/containerd/containerd.sock';
  readonly configs: Record<Daemon, string> = {
    containerd: '/etc/containerd/config.toml',
    kubelet: '/var/lib/kubelet/config.yaml',
    docker: '/etc/docker/daemon.json',
  };
  readonly files = new Map<string, HostFile>();
  readonly unread = new Map<string, string>();
  readonly versions = new Map<Daemon, string>();
  readonly sysctls = new Map<string, string>();
  readonly modules = new Set<string>();
  readonly commands = new Set<string>();
  readonly packages = new Set<string>();
  readonly units = new Map<string, string>();
  readonly enabled = new Set<string>();
  readonly since = new Map<string, number>();
  readonly profiles = new Map<string, string>();
  readonly ghosts: string[] = [];
  readonly journal: HostJournalEntry[] = [];
}

/** Reads what the survey printed. Lines that say nothing sound are passed over; a survey without its end is not complete. */
export function parseSurvey(text: string, node: string): HostState {
  const reading = new Reading();
  for (const line of text.split('\n')) {
    const words = line.replace(/\r$/, '').split(' ');
    if (words[0] === 'podcause-survey') reading.begun = words[1] === '1';
    else if (reading.begun && !reading.complete) take(words, reading);
  }
  const { begun: _begun, freeBytes, ...rest } = reading;
  return { ...rest, node: node === '' ? reading.node : node, freeBytes: Number.isFinite(freeBytes) ? freeBytes : 0 };
}

function take(words: readonly string[], reading: Reading): void {
  const [kind, first = '', second = '', third = ''] = words;
  switch (kind) {
    case 'node':
      reading.node = textOf(first);
      return;
    case 'os':
      reading.family = familyOf(textOf(first), textOf(second));
      reading.os = textOf(third);
      return;
    case 'manager':
      if (isManager(first)) reading.manager = first;
      return;
    case 'silent':
      reading.dockerSilent = first === 'docker';
      return;
    case 'systemd':
      reading.hasSystemd = first === 'yes';
      return;
    case 'etc':
      reading.etcWritable = first === 'writable';
      return;
    case 'free':
      if (/^\d{1,15}$/.test(first)) reading.freeBytes = Math.min(reading.freeBytes, Number(first) * 1024);
      return;
    case 'end':
      reading.complete = true;
      return;
    default:
      takeNamed(words, reading);
  }
}

function takeNamed(words: readonly string[], reading: Reading): void {
  const [kind, first = '', second = '', third = '', fourth = ''] = words;
  switch (kind) {
    case 'config':
      if (isDaemon(first) && textOf(second).startsWith('/')) reading.configs[first] = textOf(second);
      return;
    case 'socket':
      if (/^\/[\w./@:+-]{1,200}$/.test(textOf(first))) reading.containerdSocket = textOf(first);
      return;
    case 'version':
      if (isDaemon(first) && /^\d{1,4}(?:\.\d{1,4}){1,3}\.?$/.test(second)) reading.versions.set(first, second.replace(/\.$/, ''));
      return;
    case 'unit':
      reading.units.set(first, second);
      if (/^enabled/.test(third)) reading.enabled.add(first);
      if (/^\d{1,12}$/.test(fourth)) reading.since.set(first, Number(fourth));
      return;
    case 'sysctl':
      reading.sysctls.set(first, textOf(second).trim().replace(/\s+/g, ' '));
      return;
    case 'profile':
      reading.profiles.set(textOf(first), textOf(second));
      return;
    case 'journal':
      reading.journal.push(...[journalEntry(words) ?? []].flat());
      return;
    default:
      takeMember(words, reading);
  }
}

function takeMember(words: readonly string[], reading: Reading): void {
  const [kind, first = '', second = ''] = words;
  if (first === '') return;
  if (kind === 'module') reading.modules.add(first);
  else if (kind === 'command') reading.commands.add(first);
  else if (kind === 'package') reading.packages.add(first);
  else if (kind === 'ghost') reading.ghosts.push(textOf(first));
  else if (kind === 'unread') reading.unread.set(textOf(first), second.replaceAll('-', ' '));
  else if (kind === 'file') takeFile(words, reading);
}

function takeFile(words: readonly string[], reading: Reading): void {
  const [, path = '', real = '', mode = '', owner = '', modified = '', sha256 = '', content = ''] = words;
  const name = textOf(path);
  if (name === '') return;
  const bytes = bytesOf(content);
  if (bytes === undefined || !/^[0-7]{3,4}$/.test(mode) || !/^\d{1,10}:\d{1,10}$/.test(owner) || !/^-?\d{1,12}$/.test(modified)) {
    reading.unread.set(name, 'not told soundly');
    return;
  }
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) {
    reading.unread.set(name, 'changed while it was read, or came over broken');
    return;
  }
  // A byte order mark is part of the file: leaving it out would shift every offset.
  const text = decode(bytes);
  if (text === undefined) reading.unread.set(name, 'not UTF-8');
  else reading.files.set(name, { text, sha256, mode, owner, modified: Number(modified), real: textOf(real) || name });
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function familyOf(id: string, like: string): Family | undefined {
  for (const word of [id, ...like.split(' ')]) {
    const found = FAMILIES.find(([, pattern]) => pattern.test(word));
    if (found) return found[0];
  }
  return undefined;
}

function isManager(word: string): word is Manager {
  return MANAGERS.includes(word);
}

function isDaemon(word: string): word is Daemon {
  return DAEMONS.includes(word);
}
