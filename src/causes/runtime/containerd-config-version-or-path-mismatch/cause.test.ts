import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const journal = (words: string) => `May 06 12:00:01 cedar containerd[4410]: ${words}
May 06 12:00:01 cedar systemd[1]: containerd.service: Main process exited, code=exited, status=1/FAILURE
`;
const version3File = `version = 3
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
  runtime_type = "io.containerd.runc.v2"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
    SystemdCgroup = true
`;
const events = `Name:         web-5d4c7b9f6d-k8x2v
Namespace:    shop
Node:         cedar/10.3.0.5
Events:
  Type     Reason          Age                  From     Message
  ----     ------          ----                 ----     -------
  Normal   Killing         31s (x3 over 3m20s)  kubelet  Stopping container web
  Normal   SandboxChanged  30s (x4 over 4m12s)  kubelet  Pod sandbox changed, it will be killed and re-created.
  Warning  BackOff         2s (x9 over 3m19s)   kubelet  Back-off restarting failed container web in pod web-5d4c7b9f6d-k8x2v_shop(1b2c3d4e-5f60-4718-8293-a4b5c6d7e8f9)
`;
const colonPath =
  '0::/system.slice/kubepods-burstable-pod1b2c3d4e_5f60_4718_8293_a4b5c6d7e8f9.slice:cri-containerd:aa11bb22cc33dd44ee55ff6677889900aa11bb22cc33dd44ee55ff6677889900\n';
const dump = `[root@cedar ~]# containerd config dump
version = 3
root = '/var/lib/containerd'
[plugins]
  [plugins.'io.containerd.cri.v1.runtime']
    [plugins.'io.containerd.cri.v1.runtime'.containerd]
      default_runtime_name = 'runc'
      [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc.options]
        SystemdCgroup = false
`;

testCause(cause, {
  finds: {
    'mirrors and a folder of hosts': {
      evidence: {
        'containerd.log': journal(
          'time="2026-05-06T12:00:01Z" level=warning msg="failed to load plugin" error="unable to load CRI image service plugin dependency: invalid cri image config: `mirrors` cannot be set when `config_path` is provided" id=io.containerd.podsandbox.controller.v1.podsandbox type=io.containerd.podsandbox.controller.v1',
        ),
      },
      confidence: 'certain',
    },
    'a file that an older containerd cannot read': {
      evidence: {
        'paste.txt': "containerd: Near line 12 (last key parsed 'plugins.cri.registry'): expected a top-level item to end with a newline\n",
      },
      confidence: 'certain',
    },
    'the setting under the name of version 2 in a version 3 file, pods restart': {
      evidence: { 'config.toml': version3File, 'describe.txt': events, 'cgroup.txt': colonPath, 'dump.txt': dump },
      confidence: 'probable',
      place: 'node cedar',
      cites: ['config.toml:5', 'dump.txt:9'],
    },
    'the CRI plugin refuses two ways to name mirrors': {
      evidence: {
        'paste.txt':
          'WARN[2024-04-03T12:08:38.809121400+08:00] failed to load plugin io.containerd.grpc.v1.cri  error="invalid plugin config: `mirrors` cannot be set when `config_path` is provided"\n',
      },
      confidence: 'certain',
    },
    'a default runtime that is not there': {
      evidence: {
        'journal.txt': journal(
          'time="2024-04-09T12:20:01.758944502Z" level=warning msg="failed to load plugin io.containerd.grpc.v1.cri" error="invalid plugin config: no corresponding runtime configured in `runtimes` for `default_runtime_name`"',
        ),
      },
      confidence: 'certain',
      place: 'node cedar',
    },
    'containerd 1.7 given a version 3 file': {
      evidence: {
        'journal.txt': `[root@cedar ~]# journalctl -u containerd\n${journal('containerd: failed to load TOML from /etc/containerd/config.toml: unsupported config version `3`')}`,
      },
      confidence: 'certain',
      place: 'node cedar',
      cites: ['journal.txt:2'],
    },
    'containerd 2 given a newer file': {
      evidence: {
        'containerd.log': journal(
          'containerd: failed to load TOML from /etc/containerd/config.toml: expected containerd config version equal to or less than `3`, got `4`',
        ),
      },
      confidence: 'certain',
      place: 'node cedar',
    },
    'a short name in a version 2 file': {
      evidence: {
        'containerd.log': journal('containerd: invalid disabled plugin URI "cri" expect io.containerd.x.vx'),
        'config.toml': 'version = 2\ndisabled_plugins = ["cri"]\n[plugins]\n',
      },
      confidence: 'certain',
      place: 'node cedar',
    },
    'a file that is no TOML': {
      evidence: {
        'containerd.log': journal(
          'containerd: failed to load TOML: /etc/containerd/config.toml: (12, 3): was expecting token =, but got "SystemdCgroup" instead',
        ),
      },
      confidence: 'certain',
    },
    'the old switch of containerd 1.x': {
      evidence: {
        'containerd.log':
          'May 06 12:00:01 cedar containerd[4410]: time="2024-05-06T12:00:01.2Z" level=warning msg="failed to load plugin io.containerd.grpc.v1.cri" error="invalid plugin config: `systemd_cgroup` only works for runtime io.containerd.runtime.v1.linux"\n',
      },
      confidence: 'certain',
      cites: ['containerd.log:1'],
    },
    'containerd 2 says which key it ignores': {
      evidence: {
        'containerd.log':
          'May 06 12:00:01 cedar containerd[4410]: time="2024-05-06T12:00:01.2Z" level=warning msg="Ignoring unknown key in TOML for plugin" error="strict mode: fields in the document are missing in the target struct" key="containerd runtimes runc SystemdCgroup" plugin=io.containerd.cri.v1.runtime\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'containerd 2 translates an old file by itself': {
      evidence: {
        'etc/containerd/config.toml': '[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]\n  SystemdCgroup = true\n',
        'containerd.log':
          'May 06 12:00:01 cedar containerd[4410]: time="2024-05-06T12:00:01.2Z" level=warning msg="Configuration migrated from version 1, use `containerd config migrate` to avoid migration" t="12.5µs"\n',
      },
      by: 'migrated',
    },
  },
  asks: { 'the log of containerd': { evidence: { 'config.toml': version3File }, for: 'containerd-log' } },
});
