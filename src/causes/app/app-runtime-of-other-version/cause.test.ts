import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const listing = (row = '0/1     CrashLoopBackOff   5 (61s ago)   4m') =>
  `NAMESPACE   NAME                     READY   STATUS             RESTARTS      AGE\nforge       anvil-5c7d8f9b6d-q8z4n   ${row}\n`;
const log = (text: string) => `$ kubectl -n forge logs anvil-5c7d8f9b6d-q8z4n --previous\n${text}\n`;
const found = (text: string) => ({
  evidence: { 'pods.txt': listing(), 'log.txt': log(text) },
  confidence: 'certain' as const,
  place: 'Deployment forge/anvil',
});
const CLASSES =
  'Exception in thread "main" java.lang.UnsupportedClassVersionError: forge/Anvil has been compiled by a more recent version of the Java Runtime (class file version 61.0), this version of the Java Runtime only recognizes class file versions up to 55.0';

testCause(cause, {
  finds: {
    'an old Java on cgroup v2': found(
      'Caused by: java.lang.NullPointerException: Cannot invoke "jdk.internal.platform.CgroupInfo.getMountPoint()" because "anyController" is null',
    ),
    Java: found(CLASSES),
    '.NET 6 and later': found(
      "You must install or update .NET to run this application.\n\nApp: /app/anvil.dll\nArchitecture: x64\nFramework: 'Microsoft.NETCore.App', version '8.0.0' (x64)\n.NET location: /usr/share/dotnet/",
    ),
    '.NET 5 and before': found(
      "It was not possible to find any compatible framework version\nThe framework 'Microsoft.AspNetCore.App', version '3.1.0' was not found.",
    ),
    Ruby: found('Your Ruby version is 2.7.1, but your Gemfile specified 3.0.0'),
    PHP: found(
      'Composer detected issues in your platform: Your Composer dependencies require a PHP version ">= 8.1.0". You are running 7.4.33.',
    ),
    'Node with OpenSSL 3': found('Error: error:0308010C:digital envelope routines::unsupported'),
    'an add-on of Node': found(
      "Error: The module '/app/node_modules/x/build/x.node'\nwas compiled against a different Node.js version using",
    ),
  },
  rulesOut: {
    'a healthy pod': {
      evidence: { 'pods.txt': listing('1/1     Running            0             4m'), 'log.txt': log(CLASSES) },
      by: 'well',
    },
    'long over': {
      evidence: { 'pods.txt': listing('1/1     Running            5 (8d ago)    8d'), 'log.txt': log(CLASSES) },
      by: 'over',
    },
  },
  asks: {
    'the state of the pod': { evidence: { 'paste.txt': `${CLASSES}\n` }, for: 'pod-status' },
  },
});
