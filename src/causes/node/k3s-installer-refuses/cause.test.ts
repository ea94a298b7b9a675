import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const FOUND = '[INFO]  Finding release for channel stable\n';

testCause(cause, {
  finds: {
    'no systemd': {
      evidence: { 'paste.txt': '[ERROR]  Can not find systemd or openrc to use as a process supervisor for k3s\n' },
      confidence: 'certain',
    },
    'another checksum': {
      evidence: { 'paste.txt': `${FOUND}[ERROR]  Download sha256 does not match 4a1bd0c1, got d41d8cd9\n` },
      confidence: 'certain',
    },
    'policy missing': {
      evidence: {
        'paste.txt':
          '[ERROR]  Failed to apply container_runtime_exec_t to /usr/local/bin/k3s, please install:\n    yum install -y container-selinux selinux-policy-base\n',
      },
      confidence: 'certain',
    },
    'the download alone': { evidence: { 'paste.txt': '安装失败\n[ERROR]  Download failed\n' }, confidence: 'possible' },
  },
  rulesOut: {
    'it was installed in the end': {
      evidence: {
        'paste.txt': '[ERROR]  Can not find systemd or openrc to use as a process supervisor for k3s\n[INFO]  systemd: Starting k3s\n',
      },
      by: 'installed',
    },
  },
  asks: { 'what else the script said': { evidence: { 'paste.txt': '[ERROR]  Download failed\n' }, for: 'host-tools' } },
});
