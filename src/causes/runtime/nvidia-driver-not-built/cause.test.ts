import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const start = 'Starting installation of NVIDIA driver version 535.104.05 for Linux kernel version 5.14.0-427.33.1.el9_4.x86_64\n';
const gpl = "ERROR: modpost: GPL-incompatible module nvidia.ko uses GPL-only symbol '__rcu_read_lock'\n";
const made = 'make[2]: *** [scripts/Makefile.modpost:134: /usr/src/nvidia-535.104.05/kernel/Module.symvers] Error 1\n';

testCause(cause, {
  finds: {
    'too old for the kernel': { evidence: { 'driver.log': start + gpl + made }, confidence: 'certain' },
    'no headers': {
      evidence: { 'driver.log': `${start}Resolving Linux kernel version...\nCould not resolve Linux kernel version\n` },
      confidence: 'certain',
    },
    'Secure Boot': {
      evidence: { 'paste.txt': "modprobe: ERROR: could not insert 'nvidia': Key was rejected by service\n" },
      confidence: 'certain',
    },
    'nouveau is loaded': {
      evidence: { 'installer.log': 'ERROR: The Nouveau kernel driver is currently in use by your system.\n' },
      confidence: 'certain',
    },
    'the old driver is in use': {
      evidence: { 'driver.log': 'Could not unload NVIDIA driver kernel modules, driver is in use\n' },
      confidence: 'certain',
    },
    'only that it does not load': {
      evidence: { 'installer.log': "ERROR: Unable to load the kernel module 'nvidia.ko'.\n" },
      confidence: 'possible',
    },
    'only that the build fails': { evidence: { 'driver.log': made }, confidence: 'possible' },
  },
  rulesOut: {
    'it is done': { evidence: { 'driver.log': `${gpl}${start}Done, now waiting for signal\n` }, by: 'done' },
  },
  asks: { 'its log': { evidence: { 'paste.txt': "ERROR: Unable to load the kernel module 'nvidia.ko'.\n" }, for: 'container-log' } },
});
