import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const PATH = String.raw`(?:\.{1,2})?\/(?!(?:proc|sys|dev)\/)[^\s'"‘’\`:(),;]{1,300}`;
const AT_START = String.raw`^(?![\s\S]*?(?:[Ww][Aa][Rr][Nn]|[Ii]gnor|[Ss]kipp|using default|[Dd]efaulting|exec user process|qemu-|exec: |bad interpreter|can't open file|jarfile|MountVolume|failed to generate|kubelet|containerd|docker\.sock|\.sock\b|cannot access '|\/etc\/kubernetes\/|\/tmp\/kustomization-))`;
const gone = line(
  [
    'no such file or directory',
    'FileNotFoundError',
    'FileNotFoundException',
    'NoSuchFileException',
    'ENOENT: no such file',
    'does not exist',
    'kind: NotFound, message',
    'BIO_new_file() failed',
    'Could not find a production build',
    'was not found and is not optional',
    "can't open config file",
    'myid file is missing',
    'JAR manifest missing',
    'meta.properties',
  ],
  ['container-log', 'prose', 'pod-status'],
  new RegExp(
    String.raw`${AT_START}[\s\S]*?(?:${[
      String.raw`FileNotFoundError: \[Errno 2\] No such file or directory: ['"]?(?<python>${PATH})`,
      String.raw`ENOENT: no such file or directory, \w{1,20} ['"](?<node>${PATH})`,
      // A lock is made by the program itself: it is missing where the program may not write.
      String.raw`(?:FileNotFoundException|NoSuchFileException): (?!\S{1,300}\.lock\b)(?<java>${PATH})`,
      String.raw`(?:^(?:Error|error|ERROR): |[Ff]atal|FATAL|panic: |emerg\]|level=panic)[\s\S]{0,300}?(?:open|stat|lstat|read|chdir|load|reading|opening|loading|access|open\(\))[ "'(]{1,3}(?<go>${PATH})["')]{0,2}[^\n/]{0,40}?[Nn]o such file or directory`,
      String.raw`line \d{1,6}: (?:cd: |\.: |source: )?(?<shell>${PATH}): No such file or directory`,
      String.raw`class path resource \[(?<spring>[^\]\n]{1,200})\] cannot be (?:opened|resolved)[^\n]{0,80}? because it does not exist`,
      String.raw`The application '(?<dotnet>[^'\n]{1,200}\.dll)' does not exist`,
      String.raw`cannot load certificate(?: key)? "(?<certificate>${PATH})": BIO_new_file\(\) failed[^\n]{0,80}?[Nn]o such file or directory`,
      String.raw`Could not find a production build in the ['"](?<next>[^'"\n]{1,200})['"] directory`,
      String.raw`configuration file ['"](?<settings>[^'"\n]{1,200})['"] was not found and is not optional`,
      String.raw`[Ff]atal error, can't open config file ['"](?<redis>[^'"\n]{1,300})['"]`,
      String.raw`(?:panic: |[Ff]atal|FATAL)[^\n]{0,200}?(?:open|stat|read|load|loading|opening|reading)[ :"']{1,3}(?<relative>[\w.-]{1,100}\.[a-z]{2,10})["']?: [Nn]o such file or directory`,
      String.raw`Error opening zip file or JAR manifest missing ?: (?<agent>\S{1,300})`,
      `(?<zookeeper>${PATH}myid) file is missing`,
      String.raw`No (?:readable )?[\`'"]?(?<kafka>meta\.properties)[\`'"]? (?:files? )?found`,
      String.raw`(?<rust>Os \{ code: 2, kind: NotFound)`,
    ].join('|')})`,
  ),
);
/** Many programs say so of files they can do without. */
const notFound = line(
  ['no such file or directory', 'does not exist', 'not found: /'],
  ['container-log', 'prose', 'pod-status'],
  new RegExp(
    String.raw`${AT_START}[\s\S]*?(?:${[
      String.raw`(?:[Ee]rror|ERROR|[Ff]atal|FATAL|panic|[Ff]ailed|FAILED|[Uu]nable|[Cc]ould not|[Cc]annot|couldn't|emerg)[\s\S]{0,300}?(?:open|stat|lstat|read|chdir|load|reading|opening|loading|access|open\(\))[ "'(]{1,3}(?<go>${PATH})["')]{0,2}[^\n/]{0,40}?[Nn]o such file or directory`,
      String.raw`(?:^|\s)(?:cat|cd|cp|mv|source|\.|sed|grep|head|tail|chmod|chown|sh|bash): (?:cannot stat |can't cd to |can't open |cannot access )?['‘]?(?<tool>${PATH})['’]?: No such file or directory`,
      String.raw`(?:config|configuration|certificate|key|credentials|license)[\w ]{0,20}? (?:file )?["'(]?(?<config>${PATH})["')]? (?:does not exist|not found|doesn't exist)`,
    ].join('|')})`,
  ),
);

export const cause = defineCause({
  id: 'app-file-missing',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash', 'other-trouble'],

  text: {
    name: 'File or folder missing',
    title: '{container} ends because {path} is not there: no such file or directory',
    why: '{container} needs {path} at its start, and there is nothing of that name in the container. Either nobody put it there (a ConfigMap, Secret or volume that is not mounted, another key or subPath than the program looks for, an empty new volume, a file the image lacks), or a volume mounted over the folder hides what the image has.',
  },

  clues: {
    gone: proves(gone, byContainers),
    notFound: supports(notFound, byContainers),
    well: excludes('pod.status', isWell),
    over: excludes('pod.history'),
  },
  says: {
    gone: 'it does not find {path}',
    notFound: 'it says that {path} is not there',
    well: 'the pod runs and is ready, or has finished well',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { gone: said, notFound: other }) => {
    const path = Object.values((said ?? other)?.fields ?? {})[0]?.replace(/[.,;]$/, '');
    return { ...namesOf(place), path: path === undefined || path.startsWith('Os {') ? 'a file' : path };
  },

  fixes: [
    {
      say: 'See what {container} says last, and how it is set up',
      risk: 'reads-only',
      steps: [
        { say: 'its last words', run: 'kubectl -n {{namespace}} logs {{target}} --previous --tail=30', on: 'cluster' },
        {
          say: 'volumes and mounts: does one of them hold {path}, or lie over its folder',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE -A25 'volumeMounts:|volumes:'",
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Put {path} where {container} looks for it',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'a ConfigMap or Secret: the keys become the file names, so the key must be named as the file',
          run: 'kubectl -n {{namespace}} get configmap,secret',
          on: 'cluster',
        },
        {
          say: 'a mount over a folder of the image hides all that was in it: mount the single file instead (mountPath with the file name, and subPath)',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
        { say: 'an empty volume: create the folder in an init container; a file of the image: build it in' },
      ],
      verified: '{container} starts and no longer misses {path}',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['open(2)', 'Kubernetes documentation: volumes, subPath'],
});
