import { describe, expect, it } from 'vitest';
import { hear, told } from './testing.ts';

const INFO = `Client: Docker Engine - Community
 Version:    24.0.7
 Context:    default
 Debug Mode: false
 Plugins:
  buildx: Docker Buildx (Docker Inc.)
    Version:  v0.11.2

Server:
 Containers: 21
  Running: 18
  Paused: 0
  Stopped: 3
 Server Version: 24.0.7
 Storage Driver: overlay2
  Backing Filesystem: extfs
 Logging Driver: json-file
 Cgroup Driver: cgroupfs
 Cgroup Version: 1
 Plugins:
  Volume: local
 Runtimes: io.containerd.runc.v2 runc
 Default Runtime: runc
 Init Binary: docker-init
 containerd version: 61f9fd88f79f081d64d6fa3bb1a0dc71ec870523
 runc version: v1.1.9-0-gccaecfc
 Security Options:
  apparmor
  seccomp
   Profile: builtin
 Kernel Version: 5.4.0-150-generic
 Operating System: Ubuntu 20.04.6 LTS
 OSType: linux
 CPUs: 8
 Total Memory: 15.6GiB
 Name: birch-2
 ID: f1b2
 Docker Root Dir: /var/lib/docker
 Live Restore Enabled: false

WARNING: No swap limit support`;

describe('docker info', () => {
  const heard = hear(INFO, { command: 'docker info' });

  it('is one block about the host it names', () => {
    expect(heard.taken).toEqual([{ what: 'docker info', lines: [1, 41] }]);
    expect(new Set(heard.facts.map(({ about }) => about))).toEqual(new Set(['Node/birch-2']));
    expect(heard.coverage).toMatchObject([{ channel: 'docker-config', extent: 'whole', about: 'Node/birch-2' }]);
  });

  it('tells what docker works with', () => {
    expect(told(heard, 'runtime.cgroup-driver')).toMatchObject([{ runtime: 'docker', driver: 'cgroupfs', source: 'effective' }]);
    expect(told(heard, 'host.cgroup-version')).toMatchObject([{ version: 1 }]);
    expect(told(heard, 'host.version').map(({ component, version }) => [component, version])).toEqual([
      ['docker', '24.0.7'],
      ['kernel', '5.4.0-150-generic'],
    ]);
    expect(told(heard, 'host.os')).toMatchObject([{ name: 'Ubuntu 20.04.6 LTS', family: 'debian' }]);
    expect(told(heard, 'runtime.setting').map(({ key }) => key)).toEqual([
      'storage-driver',
      'log-driver',
      'runtimes',
      'default-runtime',
      'containerd version',
      'data-root',
      'live-restore',
    ]);
    expect(heard.sayings.map(({ text, level }) => [text, level])).toEqual([['WARNING: No swap limit support', 'warning']]);
  });

  it('reads single lines', () => {
    const few = hear(' Cgroup Driver: systemd\n Cgroup Version: 2', { command: 'docker info | grep -i cgroup' });
    expect(told(few, 'runtime.cgroup-driver')).toMatchObject([{ driver: 'systemd' }]);
    expect(told(few, 'host.cgroup-version')).toMatchObject([{ version: 2 }]);
    expect(few.coverage).toMatchObject([{ extent: 'excerpt' }]);
  });

  it('does not run into what follows', () => {
    const heard = hear('Cgroup Driver: systemd\n\nName:         web-0\nNamespace:    shop');
    expect(heard.taken).toEqual([{ what: 'docker info', lines: [1, 1] }]);
  });

  it('hands a refusal on', () => {
    const refused = hear('Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?');
    expect(refused.sayings).toMatchObject([{ level: 'error', component: 'docker' }]);
  });

  it('takes no prose and no pod', () => {
    for (const text of ['Containers:\n  web:', 'Cgroup Driver: it should be systemd', 'Client: the browser', 'Server Version: v1.30.2']) {
      expect(hear(text).taken.filter(({ what }) => what === 'docker info')).toEqual([]);
    }
  });
});
