import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, proves } from '../../define-cause.ts';

const java = line(
  ['UnsupportedClassVersionError', 'compiled by a more recent version of the Java Runtime'],
  ['container-log', 'prose', 'pod-status'],
  /(?:UnsupportedClassVersionError|compiled by a more recent version)(?:[^\n]{0,400}?class file version (?<built>\d{2,3})(?:\.\d{1,3})?\)[^\n]{0,120}?up to (?<has>\d{2,3}))?/,
);
const dotnet = line(
  [
    'You must install or update .NET to run this application',
    'any compatible framework version',
    "Framework: 'Microsoft.",
    "The framework 'Microsoft.",
    'The following frameworks were found',
  ],
  ['container-log', 'prose', 'pod-status'],
  /[Ff]ramework:? '(?<framework>Microsoft\.[\w.]{1,60})', version '(?<wants>[\w.-]{1,20})'|You must install or update \.NET to run this application|not possible to find any compatible framework version/,
);
const others = line(
  [
    'but your Gemfile specified',
    'Your Composer dependencies require a PHP version',
    'digital envelope routines::unsupported',
    'The engine "node" is incompatible',
    'requires Node.js',
    'requires a different Python',
    'You are using Node.js ',
    'Node.js version ',
    'was compiled against a different Node.js version',
    'module that was compiled using NumPy',
    'numpy.dtype size changed',
    'CgroupInfo.getMountPoint()',
    '"anyController" is null',
  ],
  ['container-log', 'prose', 'pod-status'],
  /Your Ruby version is (?<hasRuby>[\w.]{1,20}), but your Gemfile specified (?<ruby>[\w.~>= ]{1,30})|Your Composer dependencies require a PHP version "(?<php>[^"\n]{1,40})"\. You are running (?<hasPhp>[\w.]{1,20})|(?<openssl>digital envelope routines::unsupported)|The engine "node" is incompatible with this module\. Expected version "(?<node>[^"\n]{1,40})"|requires Node\.js (?:version )?(?<nodejs>[\w.>=^~ |-]{1,40})|requires a different Python: (?<hasPython>[\w.]{1,20}) not in '(?<python>[^'\n]{1,40})'|You are using Node\.js (?<hasNext>[\w.]{1,20})\. For Next\.js, Node\.js version "(?<next>[^"\n]{1,60})"|(?<addon>was compiled against a different Node\.js version)|(?<numpy>module that was compiled using NumPy [\w.]{1,10} cannot be run in NumPy [\w.]{1,10}|numpy\.dtype size changed)|(?<cgroup>CgroupInfo\.getMountPoint\(\)|"anyController" is null)/,
);

/** Java numbers its class files from 45 on. */
function javaOf(version: string | undefined): string | undefined {
  return version === undefined ? undefined : `Java ${Number(version) - 44}`;
}

export const cause = defineCause({
  id: 'app-runtime-of-other-version',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash', 'other-trouble'],

  text: {
    name: 'Runtime of another version',
    title: '{container} was built for another version of its runtime: it wants {wants}, the image has {has}',
    why: 'The code of {container} was compiled for, or declares that it needs, {wants}, and the runtime in the image is another version ({has}). Either the base image of the last stage stayed behind when the code or its build image moved on, or a floating tag of the base image moved on by itself. It fails at once, on every node.',
  },

  clues: {
    java: proves(java, byContainers),
    dotnet: proves(dotnet, byContainers),
    others: proves(others, byContainers),
    well: excludes('pod.status', isWell),
    over: excludes('pod.history'),
  },
  says: {
    java: 'its classes are of a newer Java than the one that runs them: {wants}',
    dotnet: 'the .NET framework it wants is not installed: {wants}',
    others: 'it says that the runtime is of the wrong version: {wants}',
    well: 'the pod runs and is ready, or has finished well',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { java: classes, dotnet: framework, others: other }) => {
    const said = other?.fields ?? {};
    const version = (kind: string, value: string | undefined) => (value === undefined ? undefined : `${kind} ${value.trim()}`);
    const wants =
      javaOf(classes?.fields['built']) ??
      (framework?.fields['framework'] ? `${framework.fields['framework']} ${framework.fields['wants'] ?? ''}`.trim() : undefined) ??
      version('Ruby', said['ruby']) ??
      version('PHP', said['php']) ??
      version('Node.js', said['node'] ?? said['nodejs'] ?? said['next']) ??
      version('Python', said['python']) ??
      (said['openssl'] ? 'OpenSSL 1.1 (Node.js 16 or older)' : undefined) ??
      (said['numpy'] ? 'another NumPy' : undefined) ??
      (said['cgroup'] ? 'a Java that knows cgroup v2 (8u372, 11.0.16, 17 or newer)' : undefined) ??
      (classes ? 'a newer Java' : framework ? 'another version of .NET' : 'another version');
    const has =
      javaOf(classes?.fields['has']) ??
      version('Ruby', said['hasRuby']) ??
      version('PHP', said['hasPhp']) ??
      version('Node.js', said['hasNext']) ??
      version('Python', said['hasPython']) ??
      (said['openssl'] ? 'OpenSSL 3' : said['cgroup'] ? 'an older one, on a node with cgroup v2' : 'another one');
    return { ...namesOf(place), wants, has };
  },

  fixes: [
    {
      say: 'See which runtime the image has',
      risk: 'reads-only',
      steps: [
        { say: 'its last words', run: 'kubectl -n {{namespace}} logs {{target}} --previous --tail=30', on: 'cluster' },
        { say: 'the version in the image: java -version, dotnet --list-runtimes, node --version, php -v, ruby -v, python --version' },
      ],
    },
    {
      say: 'Use a base image with {wants}, or build the code for {has}',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'in the Dockerfile: the same major version in the build stage and in the last stage (FROM), with a tag that does not float',
        },
        { say: 'roll the image out', run: 'kubectl -n {{namespace}} set image {{target}} {{container}}=IMAGE', on: 'cluster' },
      ],
      verified: '{container} starts',
    },
    {
      say: 'Until then: go back to the image that ran',
      risk: 'restarts-pods',
      steps: [{ say: 'the revision before', run: 'kubectl -n {{namespace}} rollout undo {{target}}', on: 'cluster' }],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'openjdk src/hotspot/share/classfile/classFileParser.cpp',
    'dotnet/runtime src/native/corehost/fxr/fx_resolver.messages.cpp',
    'composer src/Composer/Autoload/AutoloadGenerator.php (platform_check)',
    'nodejs/node issue 40455',
  ],
});
