import { describe, expect, it } from 'vitest';
import { hear, told } from './testing.ts';

function units(text: string, context = {}) {
  return told(hear(text, context), 'unit.state').map(({ unit, active, sub, enabled }) => [unit, active, sub, enabled]);
}

describe('systemctl list-units', () => {
  it('tells failed units and those that matter', () => {
    const text = `  UNIT                 LOAD      ACTIVE   SUB     DESCRIPTION
  containerd.service   loaded    active   running containerd container runtime
  cron.service         loaded    active   running Regular background program processing daemon
● backup.service       loaded    failed   failed  Nightly backup
● docker.service       not-found inactive dead    docker.service

LOAD   = Reflects whether the unit definition was properly loaded.
ACTIVE = The high-level unit activation state
4 loaded units listed.`;
    const heard = hear(text, { command: 'systemctl list-units' });
    expect(units(text)).toEqual([
      ['containerd', 'active', 'running', undefined],
      ['backup', 'failed', 'failed', undefined],
      ['docker', 'inactive', 'dead', 'not-found'],
    ]);
    expect(heard.taken).toEqual([{ what: 'systemctl list-units', lines: [1, 9] }]);
    expect(heard.coverage).toMatchObject([{ extent: 'whole' }]);
  });

  it('reads rows alone', () => {
    expect(units('● iscsid.service     loaded failed failed    iSCSI initiator daemon')).toEqual([
      ['iscsid', 'failed', 'failed', undefined],
    ]);
    expect(units('my.service loaded fine')).toEqual([]);
  });
});

describe('systemctl is-active', () => {
  it('answers in the order of the question', () => {
    expect(units('active\nfailed', { command: 'systemctl is-active kubelet containerd' })).toEqual([
      ['kubelet', 'active', undefined, undefined],
      ['containerd', 'failed', undefined, undefined],
    ]);
    expect(units('disabled', { command: 'systemctl is-enabled kubelet' })).toEqual([['kubelet', 'unknown', undefined, 'disabled']]);
  });

  it('takes no word without the question', () => {
    expect(hear('active').taken).toEqual([]);
    expect(hear('hello', { command: 'systemctl is-active kubelet' }).taken).toEqual([]);
  });
});

describe('systemctl show', () => {
  it('tells the properties', () => {
    const text =
      'Result=exit-code\nNRestarts=17\nExecMainStatus=255\nId=kubelet.service\nActiveState=activating\nSubState=auto-restart\nUnitFileState=enabled';
    expect(told(hear(text, { command: 'systemctl show kubelet' }), 'unit.state')).toEqual([
      {
        about: 'Node/?',
        unit: 'kubelet',
        active: 'activating',
        sub: 'auto-restart',
        result: 'exit-code',
        exitStatus: '255',
        restarts: 17,
        enabled: 'enabled',
      },
    ]);
    expect(told(hear('ActiveState=failed\nNRestarts=3', { unit: 'containerd' }), 'unit.state')).toMatchObject([
      { unit: 'containerd', restarts: 3 },
    ]);
    expect(hear('ActiveState=failed').facts).toEqual([]);
  });
});
