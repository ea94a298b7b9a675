import { describe, expect, it } from 'vitest';
import { hear, told } from './testing.ts';

const UID = '0f3c2b6e-1d4a-4c57-9b8e-2a6d5c4b3a21';
const HEADER =
  'CONTAINER ID   IMAGE                COMMAND                  CREATED             STATUS                     PORTS     NAMES';
const UP = `3fa1b2c4d5e6   7d8e9f0a1b2c         "/opt/bin/start --a…"    About an hour ago   Up About an hour                     k8s_prepare_store-7wq2x_shop_${UID}_0`;
const ENDED = `4fa1b2c4d5e6   7d8e9f0a1b2c         "/bin/sh -c 'sleep'"     2 hours ago         Exited (137) 5 minutes ago           k8s_web_store-7wq2x_shop_${UID}_3`;
const PAUSE = `5fa1b2c4d5e6   k8s.gcr.io/pause:3.5 "/pause"                 2 hours ago         Up 2 hours                           k8s_POD_store-7wq2x_shop_${UID}_1`;
const OTHER = '6fa1b2c4d5e6   redis                "docker-entrypoint…"     3 days ago          Up 3 days (healthy)        6379/tcp  cache';

describe('docker ps', () => {
  const heard = hear([HEADER, UP, ENDED, PAUSE, OTHER].join('\n'), { command: 'docker ps -a', node: 'Node/elm-1' });

  it('tells the state of pods’ containers', () => {
    expect(told(heard, 'container.runtime-state')).toEqual([
      {
        about: 'Container/shop/store-7wq2x/prepare',
        id: '3fa1b2c4d5e6',
        state: 'running',
        by: 'docker',
        sinceText: 'Up About an hour',
        attempt: 0,
      },
      {
        about: 'Container/shop/store-7wq2x/web',
        id: '4fa1b2c4d5e6',
        state: 'exited',
        by: 'docker',
        sinceText: '5 minutes ago',
        attempt: 3,
      },
    ]);
    expect(told(heard, 'container.terminated')).toEqual([{ about: 'Container/shop/store-7wq2x/web', exitCode: 137, which: 'last' }]);
    expect(heard.coverage).toMatchObject([{ channel: 'runtime-state', extent: 'whole' }]);
    expect(heard.taken).toEqual([{ what: 'docker ps', lines: [1, 5] }]);
  });

  it('ties ids to pods', () => {
    expect(heard.edges).toEqual(
      expect.arrayContaining([
        { type: 'alias', alias: 'cid:3fa1b2c4d5e6', entity: 'Container/shop/store-7wq2x/prepare' },
        { type: 'alias', alias: `uid:${UID}`, entity: 'Pod/shop/store-7wq2x' },
        { type: 'alias', alias: 'sandbox:5fa1b2c4d5e6', entity: 'Pod/shop/store-7wq2x' },
        { type: 'runs-on', pod: 'Pod/shop/store-7wq2x', node: 'Node/elm-1' },
      ]),
    );
    expect(heard.edges.filter(({ type }) => type === 'runs-on')).toHaveLength(2);
  });

  it('reads a row alone, also with its blanks lost', () => {
    expect(told(hear(UP), 'container.runtime-state')).toHaveLength(1);
    expect(told(hear(ENDED.replace(/ +/g, ' ')), 'container.runtime-state')).toMatchObject([{ state: 'exited' }]);
    expect(hear(UP).coverage).toMatchObject([{ extent: 'excerpt' }]);
    expect(hear(UP).edges.some(({ type }) => type === 'runs-on')).toBe(false);
  });

  it('takes an empty table', () => {
    expect(hear(HEADER).taken).toEqual([{ what: 'docker ps', lines: [1, 1] }]);
  });

  it('leaves other rows alone', () => {
    for (const text of [OTHER, 'deadbeefcafe is the commit that is Up 2 hours', UP.replace('k8s_', 'x_')])
      expect(hear(text).taken).toEqual([]);
  });
});
