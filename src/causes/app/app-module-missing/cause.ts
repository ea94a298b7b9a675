import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, proves } from '../../define-cause.ts';

const missing = line(
  [
    'No module named',
    'Cannot find module',
    'Cannot find package',
    'ERR_MODULE_NOT_FOUND',
    'NoClassDefFoundError',
    'ClassNotFoundException',
    'NoSuchMethodError',
    'cannot load such file',
    'ImportError: ',
    'Could not load file or assembly',
    '" not found',
    'Failed opening required',
    "Can't locate ",
    'BootstrapMethodError',
    'framework was not found',
    'in any of the sources',
    'bundler: command not found',
    'could not locate the Query Engine',
    ': invalid ELF header',
    'ERR_REQUIRE_ESM',
    'Could not find gem',
    'Could not import module',
  ],
  ['container-log', 'prose', 'pod-status'],
  /(?:ModuleNotFoundError|ImportError): No module named ['"]?(?<python>[\w.]{1,120})|Cannot find (?:module|package) ['"](?<node>(?!\/)[^'"\n]{1,200})['"]|(?:NoClassDefFoundError|ClassNotFoundException|NoSuchMethodError): '?(?<java>[\w./$ <>()]{3,200})|cannot load such file -- (?<ruby>\S{1,200})|ImportError: cannot import name (?<shared>['"][^'"\n]{1,100}['"](?: from ['"][\w.]{1,100}['"])?)|Could not load file or assembly '(?<dotnet>[^',\n]{1,200})|(?:Uncaught Error: )?Class "(?<php>[\w\\]{1,200})" not found|Failed opening required '(?<required>[^'\n]{1,300})'|Can't locate (?<perl>[\w/]{1,200})\.pm in @INC|Could not find (?:gem '?)?(?<gem>[\w.-]{1,100})[^\n]{0,80}? in (?:any of the sources|locally installed gems)|bundler: command not found: (?<executable>\S{1,100})|could not locate the (?<prisma>Query Engine for runtime [\\"]{1,4}[\w.-]{1,80})|(?:^|\s)(?<native>[\w./@-]{1,300}\.(?:node|so)): invalid ELF header|Error loading ASGI app\. Could not import module "(?<asgi>[^"\n]{1,120})"|\[ERR_REQUIRE_ESM\]: require\(\) of ES Module (?<esm>\S{1,300})/,
);

export const cause = defineCause({
  id: 'app-module-missing',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash', 'other-trouble'],

  text: {
    name: 'Code library missing',
    title: '{container} ends because its code lacks {module}',
    why: 'The program of {container} loads {module} at its start, and the image does not contain it: it was not installed at build time (a requirements file, package.json or jar that leaves it out, a production install without it), another version is there, or a volume mounted over the folder hides it.',
  },

  clues: {
    missing: proves(missing, byContainers),
    well: excludes('pod.status', isWell),
    over: excludes('pod.history'),
  },
  says: {
    missing: 'it cannot load {module}',
    well: 'the pod runs and is ready, or has finished well',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { missing: said }) => ({ ...namesOf(place), module: Object.values(said?.fields ?? {})[0]?.trim() ?? 'a library' }),

  fixes: [
    {
      say: 'See what {container} says last, and how it is set up',
      risk: 'reads-only',
      steps: [
        { say: 'its last words', run: 'kubectl -n {{namespace}} logs {{target}} --previous --tail=30', on: 'cluster' },
        {
          say: 'image and mounts: a volume over the folder of the code hides it',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE -A12 'image:|volumeMounts:'",
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Build the image with {module} in it, or go back to the one that has it',
      risk: 'restarts-pods',
      steps: [
        { say: 'add it to the dependencies (requirements.txt, package.json, pom.xml, Gemfile) and build for the same language version' },
        { say: 'if it worked before the last rollout, go back', run: 'kubectl -n {{namespace}} rollout undo {{target}}', on: 'cluster' },
      ],
      changes: [{ do: 'rollout-undo' }],
      verified: '{container} starts and loads {module}',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['CPython Lib/importlib/_bootstrap.py', 'Node.js lib/internal/modules/cjs/loader.js', 'JVM specification 5.3'],
});
