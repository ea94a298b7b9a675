import { describe, expect, it } from 'vitest';
import { hear, told } from './testing.ts';

const PS =
  'CONTAINER           IMAGE               CREATED             STATE               NAME                ATTEMPT             POD ID              POD';
const ROW =
  '8c1d2e3f4a5b6       9a8b7c6d5e4f3       About an hour ago   Running             prepare             0                   1a2b3c4d5e6f7';

describe('crictl ps', () => {
  it('reads a row alone and keeps its id where the pod is not printed', () => {
    const heard = hear(ROW, { command: 'crictl ps -a | grep prepare' });
    expect(told(heard, 'container.runtime-state')).toEqual([
      { about: 'cid:8c1d2e3f4a5b6', id: '8c1d2e3f4a5b6', state: 'running', by: 'crictl', sinceText: 'About an hour ago', attempt: 0 },
    ]);
    expect(heard.edges).toEqual([]);
  });

  it('reads pod and namespace of newer releases', () => {
    const rows = [
      `${PS}                 NAMESPACE`,
      `${ROW}       store-7wq2x         shop`,
      '9c1d2e3f4a5b6       9a8b7c6d5e4f3       3 minutes ago       Exited              web                 12                  1a2b3c4d5e6f7       store-7wq2x         shop',
    ];
    const heard = hear(rows.join('\n'), { command: 'crictl ps -a', node: 'Node/elm-1' });
    expect(told(heard, 'container.runtime-state').map(({ about, state, attempt }) => [about, state, attempt])).toEqual([
      ['Container/shop/store-7wq2x/prepare', 'running', 0],
      ['Container/shop/store-7wq2x/web', 'exited', 12],
    ]);
    expect(heard.edges).toContainEqual({ type: 'alias', alias: 'sandbox:1a2b3c4d5e6f7', entity: 'Pod/shop/store-7wq2x' });
    expect(heard.coverage).toMatchObject([{ extent: 'whole' }]);
  });

  it('reads a pod without its namespace', () => {
    expect(told(hear(`${ROW}  store-7wq2x`), 'container.runtime-state')).toMatchObject([{ about: 'Container/?/store-7wq2x/prepare' }]);
  });

  it('leaves near misses alone', () => {
    for (const text of [ROW.replace('Running', 'Walking'), ROW.slice(0, 60), `note: ${ROW}`]) expect(hear(text).taken).toEqual([]);
  });
});

describe('crictl pods', () => {
  it('ties sandboxes to pods', () => {
    const text = `POD ID              CREATED             STATE               NAME                NAMESPACE           ATTEMPT             RUNTIME
1a2b3c4d5e6f7       2 hours ago         Ready               store-7wq2x         shop                2                   (default)
2a2b3c4d5e6f7       3 hours ago         NotReady            store-7wq2x         shop                1                   (default)`;
    const heard = hear(text, { node: 'Node/elm-1' });
    expect(heard.edges).toEqual([
      { type: 'alias', alias: 'sandbox:1a2b3c4d5e6f7', entity: 'Pod/shop/store-7wq2x' },
      { type: 'runs-on', pod: 'Pod/shop/store-7wq2x', node: 'Node/elm-1' },
      { type: 'alias', alias: 'sandbox:2a2b3c4d5e6f7', entity: 'Pod/shop/store-7wq2x' },
    ]);
    expect(heard.taken).toMatchObject([{ what: 'crictl pods', lines: [1, 3] }]);
  });
});

describe('ctr tasks ls', () => {
  it('tells tasks by their id', () => {
    const id = 'ab'.repeat(32);
    const heard = hear(`TASK    PID     STATUS\n${id}    4711    STOPPED`, { command: 'ctr -n k8s.io tasks ls' });
    expect(told(heard, 'container.runtime-state')).toEqual([{ about: `cid:${id}`, id, state: 'stopped', by: 'ctr' }]);
  });
});
