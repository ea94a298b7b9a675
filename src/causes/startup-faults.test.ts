import { expect, it } from 'vitest';
import { startupFault } from './startup-faults.ts';

it.each([
  ['no kind \\"KubeSchedulerConfiguration\\" is registered for version \\"kubescheduler.config.k8s.io/v1beta2\\" in scheme', 'API version'],
  ['unrecognized feature gate: TTLAfterFinished', 'feature gate TTLAfterFinished'],
  ['cannot set feature gate CSIMigration to false, feature is locked to true', 'always true'],
  ['enable-admission-plugins plugin "PodSecurityPolicy" is unknown', 'admission plugin PodSecurityPolicy'],
  ['strict decoding error: unknown field "profiles[0].plugin"', 'the field profiles[0].plugin'],
  ['Error: unknown flag: --insecure-port', 'unknown flag --insecure-port'],
  ['invalid argument "ten" for "--secure-port" flag: strconv.ParseInt: parsing', 'does not take the value "ten"'],
  ['open /srv/audit.yaml: no such file or directory', 'not mounted'],
  ['mkdir /var/run/kubernetes: permission denied', 'may not create the folder'],
  ['stat /srv/audit.yaml: permission denied', 'may not read'],
])('puts "%s" into words', (said, words) => {
  expect(startupFault(said)).toContain(words);
});

it('leaves other words alone', () => {
  expect(startupFault('context deadline exceeded')).toBeUndefined();
  expect(startupFault(undefined)).toBeUndefined();
});
