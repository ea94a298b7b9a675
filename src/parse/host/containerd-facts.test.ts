import { describe, expect, it } from 'vitest';
import { hear, linesOf, told } from './testing.ts';

const CRI_2 = 'plugins."io.containerd.grpc.v1.cri"';
const RUNTIME_3 = "plugins.'io.containerd.cri.v1.runtime'";

function drivers(text: string, context = {}) {
  return told(hear(text, context), 'runtime.cgroup-driver');
}

function settings(text: string, context = {}) {
  return Object.fromEntries(told(hear(text, context), 'runtime.setting').map(({ key, value }) => [key, value]));
}

describe('versions and places', () => {
  const at = (table: string) => `[${table}.containerd.runtimes.runc.options]\nSystemdCgroup = true`;

  it.each([
    ['version = 2', CRI_2, undefined, 2],
    ['version = 1', 'plugins.cri', undefined, 1],
    ['version = 3', RUNTIME_3, undefined, 3],
    ['version = 4', RUNTIME_3, undefined, 4],
    ['version = 3', CRI_2, true, 3],
    ['version = 4', CRI_2, true, 4],
    ['version = 2', 'plugins.cri', true, 2],
  ])('%s with %s', (version, table, ignored, configVersion) => {
    const [fact] = drivers(`${version}\n${at(table)}`);
    expect(fact).toMatchObject({ explicit: true, configVersion });
    expect(fact?.ignored).toBe(ignored);
  });

  it('takes a whole file without a version for version 1', () => {
    const context = { command: 'cat /etc/containerd/config.toml' };
    expect(drivers(`root = "/var/lib/containerd"\n${at(CRI_2)}`, context)).toMatchObject([{ configVersion: 1, ignored: true }]);
    expect(drivers(`root = "/var/lib/containerd"\n${at('plugins.cri')}`, context)[0]?.ignored).toBeUndefined();
  });

  it('does not judge a fragment, nor a dump', () => {
    expect(drivers(at(CRI_2))[0]).not.toHaveProperty('ignored');
    expect(drivers(`version = 3\n${at(CRI_2)}`, { command: 'containerd config dump' })[0]).not.toHaveProperty('ignored');
  });

  it('knows the pause image by its newer name', () => {
    expect(settings(`[plugins.'io.containerd.cri.v1.images'.pinned_images]\n  sandbox = 'registry.k8s.io/pause:3.10'`)).toEqual({
      sandbox_image: 'registry.k8s.io/pause:3.10',
    });
  });
});

describe('the file itself', () => {
  function files(text: string, context = {}) {
    return told(hear(text, context), 'runtime.config-file').map(({ version, problem }) => ({ version, problem }));
  }

  it('reads the packaged stub that switches CRI off', () => {
    const stub = `#   Copyright 2018-2022 Docker Inc.

#   Licensed under some terms

disabled_plugins = ["cri"]

#root = "/var/lib/containerd"
#[grpc]
#  address = "/run/containerd/containerd.sock"`;
    const heard = hear(stub);
    expect(heard.taken).toMatchObject([{ lines: [1, 9] }]);
    expect(told(heard, 'runtime.setting')).toEqual([
      { about: 'Node/?', runtime: 'containerd', key: 'disabled_plugins', value: 'cri', source: 'file' },
    ]);
    expect(told(heard, 'runtime.cgroup-driver')).toEqual([]);
    expect(heard.coverage).toMatchObject([{ extent: 'whole' }]);
  });

  it('does not take a commented line for the setting', () => {
    expect(settings('#disabled_plugins = ["cri"]\nroot = "/var/lib/containerd"')).toEqual({ root: '/var/lib/containerd' });
  });

  it('finds a syntax error and cites its line', () => {
    const text = `version = 2\n[${CRI_2}]\n  sandbox_image = pause\n  snapshotter = "overlayfs"`;
    const heard = hear(text);
    expect(files(text)).toMatchObject([{ version: 2, problem: expect.stringContaining('not valid TOML') }]);
    expect(linesOf(heard.facts.find(({ kind }) => kind === 'runtime.config-file'))).toEqual([3, 3]);
  });

  it('finds a table that is written twice', () => {
    const table = `[${CRI_2}]\nsandbox_image = "a"\n`;
    expect(files(`version = 2\n${table}${table}`)[0]?.problem).toContain('not valid TOML');
  });

  it('blames no file for what the paste did to it', () => {
    expect(files(`version = 2\n[plugins.“io.containerd.grpc.v1.cri”]\nsandbox_image = “pause”`)).toEqual([
      { version: 2, problem: undefined },
    ]);
    expect(files(`version = 2\n[${CRI_2}]\nsandbox_image = "pause"\n...\n[${CRI_2}]`).filter(({ problem }) => problem)).toEqual([]);
  });

  it('finds names that the version does not take', () => {
    expect(files(`version = 2\ndisabled_plugins = ["cri"]\n[${CRI_2}]\nsandbox_image = "a"`)[0]?.problem).toContain('"cri"');
    expect(files('version = 2\n[plugins.cri]\nsandbox_image = "a"')[0]?.problem).toContain('version 1 name');
  });
});
