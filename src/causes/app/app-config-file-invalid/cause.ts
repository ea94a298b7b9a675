import { byContainers, byDaemons, defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const FILE = String.raw`\/[^\s"'‘’\`:,()[\]]{1,300}`;
const NAMED = String.raw`\/[^\s"'‘’\`:,()[\]]{1,280}\.(?:ya?ml|json|toml|conf|cfg|ini|xml|properties|hcl|cnf|rules|lua)`;

const REJECTED =
  /yaml: (?:line \d{1,6}|unmarshal errors|invalid|did not)|mapping values are not allowed|did not find expected|found character that cannot start any token|(?:ScannerError|ParserError|ComposerError)\b|invalid character .{1,6} (?:looking for|after)|Unexpected token .{1,20} in JSON|JSONDecodeError|JsonParseException|toml: line|unknown variable '|unknown directive "|FATAL CONFIG FILE ERROR|Bad directive or wrong number of arguments|unrecognized configuration parameter|contains errors$|Error during parsing|error initializing configuration/;

/** nginx ends only for these; "ignored in …" and the like are warnings. */
const NGINX = String.raw`(?:unknown (?:directive|log format|"[^"\n]{1,80}")|unexpected (?:"|end of file)|invalid (?:number|parameter|value|port|URL|variable|condition|argument)|directive is (?:not allowed here|duplicate)|"[^"\n]{1,80}" directive (?:is|requires|must)|duplicate (?:location|upstream|listen)|directive "[^"\n]{1,80}" (?:is not|has no))`;

/** Files of the kubelet and the runtimes are read by no container. */
const OF_NODE = /\/var\/lib\/kubelet\/|\/etc\/(?:kubernetes|containerd|docker|crio)\//;

const fileRejected = line(
  [
    '[emerg] ',
    'unknown directive',
    '" directive',
    'unexpected "',
    'unexpected end of file',
    'invalid number of arguments',
    'invalid parameter',
    'is not allowed here',
    'duplicate location',
    'parsing [/',
    'Syntax error on line',
    '--config.file=',
    'configuration file',
    'unrecognized configuration parameter',
    'syntax error in file',
    'config error file=',
    'error initializing configuration',
    'Error found at ',
    'failed_to_prepare_configuration',
    'failed_to_parse_configuration_file',
    'but there is no setting with that name',
    'Conf file attempted to set unknown variable',
    'Failed to load advanced configuration file',
    'unmarshal',
    'yaml: line',
    'ScannerError',
    'ParserError',
    'config file',
    'parsing config',
    'parse config',
    'load config',
    'loading config',
    'invalid config',
    'read config',
    'reading config',
    'provisioning error: ',
    'adapting config using',
    'config.alloy:',
    '" in /etc/',
  ],
  ['container-log', 'control-plane-log'],
  new RegExp(
    [
      String.raw`(?<error>${NGINX}[^\n]{0,200}?) in (?<nginx>${FILE}):\d{1,6}(?=\s|$)`,
      String.raw`\[emerg\] (?:\d{1,7}#\d{1,7}: )?(?<bare>${NGINX}[^\n]{0,120}?)(?=["'\`)*]{0,3}$)`,
      String.raw`parsing \[(?<haproxy>${FILE}):\d{1,6}\]`,
      String.raw`Syntax error on line \d{1,6} of (?<apache>${FILE})`,
      String.raw`rror loading config \(--config\.file=(?<prometheus>${FILE})\)`,
      `config error file="(?<fluentd>[^"]{1,300})"`,
      `error initializing configuration '(?<envoy>[^']{1,300})'`,
      String.raw`Error found at (?<mosquitto>${FILE}):\d{1,6}`,
      String.raw`adapting config using \w{2,20}: (?<caddy>${FILE}):\d{1,6}: `,
      String.raw`(?:Data ?source|Dashboard|Notifier|Alert\w{0,10}) provisioning error: (?<grafana>[^\n:]{3,160})`,
      String.raw`(?<rabbit>failed_to_(?:prepare_configuration|parse_configuration_file)|You've tried to set [^\n]{1,120}?, but there is no setting with that name|Conf file attempted to set unknown variable: [\w.]{1,120}|Failed to load advanced configuration file)`,
      `configuration file "(?<postgres>[^"]{1,300})" contains errors`,
      String.raw`(?:unrecognized configuration parameter "[^"]{1,100}"|syntax error|invalid line \d{1,6}) in file "(?<parameter>[^"]{1,300})"`,
      String.raw`(?:ScannerError|ParserError|ComposerError)[\s\S]{0,400}?in "(?<python>${FILE})", line \d`,
      String.raw`Error: (?<alloy>\/[^\s"':]{1,280}\.(?:alloy|river)):\d{1,6}:\d{1,6}: `,
      String.raw`(?:unknown|unrecogni[sz]ed|unsupported|unexpected|invalid) (?:field|key|option|property|setting|directive|section|parameter)s? ["'\`]?[\w.-]{1,80}["'\`]? (?:in|at) ["'\`]?(?<where>${NAMED})`,
      String.raw`(?:[Ee]rror|[Ff]ail\w{0,4}|[Uu]nable to|[Cc]annot|[Cc]ould not)[^\n]{0,40}?(?:load|pars|read)(?:ing|e)? (?:the )?config(?:uration)? file ["'(]?(?<loaded>${NAMED})["')]?: (?![^\n]{0,200}?(?:no such file|permission denied|does not exist|is a directory))`,
      String.raw`config[^\n]{0,60}?["'\s=(](?<file>${NAMED})\b[^\n]{0,200}?(?:yaml: |unmarshal|pars(?:e|ing)|syntax|invalid character|unexpected|unknown (?:field|key|option|property)|not found in type)`,
      String.raw`(?:pars(?:e|ing)|unmarshal\w{0,6}|decod(?:e|ing)|invalid) [^\n]{0,60}?["'\s=(](?<parsed>${NAMED})["')]?:`,
    ].join('|'),
  ),
);
/** Programs that name the entry and not the file. */
const entryRejected = line(
  [
    'which is not configured',
    'has invalid keys: ',
    'unknown type: "',
    'cannot unmarshal the configuration',
    'CONFIG ERROR: ',
    'Loading configuration file failed',
    'tried to instance a plugin name',
    'configuration file contains errors, aborting',
    'Configuration error. error=',
    'LogStash::ConfigurationError',
  ],
  'container-log',
  /(?<entry>references (?:receiver|exporter|processor|extension|connector) [\\"]{1,3}[\w./-]{1,80}[\\"]{1,3} which is not configured|has invalid keys: [\w., -]{1,120}|unknown type: [\\"]{1,3}[\w./-]{1,80}[\\"]{1,3} for id|CONFIG ERROR: [^\n\\]{3,160}|section '[^'\n]{1,60}' tried to instance a plugin name that don't exists?|Configuration error\. error=[^\n]{3,140}|LogStash::ConfigurationError(?:[\s\S]{0,40}?=>\\?"[^"\n]{3,120})?)|cannot unmarshal the configuration|Loading configuration file failed|configuration file contains errors, aborting/,
);
const rejected = line(
  [
    'yaml: line',
    'yaml: unmarshal',
    'yaml: invalid',
    'mapping values are not allowed',
    'did not find expected',
    'cannot start any token',
    'ScannerError',
    'ParserError',
    'invalid character',
    'Unexpected token',
    'JSONDecodeError',
    'JsonParseException',
    'toml: line',
    'unknown variable',
    'unknown directive',
    'FATAL CONFIG FILE ERROR',
    'Bad directive or wrong number',
    'unrecognized configuration parameter',
    'Error during parsing',
  ],
  ['container-log', 'control-plane-log'],
  REJECTED,
);
const ofDaemon = line(
  ['yaml: line', 'unmarshal', 'toml: line', 'config file'],
  ['container-log', 'kubelet-log', 'containerd-log', 'docker-log'],
  REJECTED,
);
/** Redis checks the names in its file when it reads it, and blames the file. */
const unresolved = line(['resolve instance hostname', 'resolve master instance hostname'], []);

export const cause = defineCause({
  id: 'app-config-file-invalid',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'failed', 'init-crash', 'not-ready'],
  effectOf: ['coredns-corefile-invalid', 'apiserver-flag-or-manifest-error'],

  text: {
    name: 'Configuration file rejected',
    title: '{container} rejects its configuration {file}: {error}',
    why: '{container} reads {file} at start, finds it invalid ({error}) and ends. The file usually comes from a ConfigMap or Secret; every replica fails alike since it was changed.',
  },

  clues: {
    fileRejected: proves(fileRejected, (fact) => byContainers(fact) && !OF_NODE.test(Object.values(fact.fields).join(' '))),
    entryRejected: proves(entryRejected, byContainers),
    rejected: supports(rejected, byContainers),
    diesOfIt: supports('container.last-words', ({ lines }) => lines.some((text) => REJECTED.test(text.slice(0, 4000)))),
    mounted: supports('pod.volume', ({ type, name }) => /^(?:ConfigMap|Secret)$/i.test(type) && !/token|kube-root-ca/.test(name)),
    ofDaemon: excludes(ofDaemon, byDaemons),
    unresolved: excludes(unresolved),
    well: excludes('pod.status', isWell),
    over: excludes('pod.history'),
  },
  says: {
    fileRejected: 'it names {file} and what is wrong with it: {error}',
    entryRejected: 'it refuses an entry of its configuration: {error}',
    rejected: 'it cannot parse what it reads',
    diesOfIt: 'its last words: {error}',
    mounted: 'it mounts {volume}',
    unresolved: 'a name in the file does not resolve; the file itself is well formed',
    ofDaemon: 'a daemon of the node says it, not the container',
    well: 'the pod runs and is ready, or has finished well',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { fileRejected: named, entryRejected: entry, diesOfIt, mounted }) => {
    const { error: told, bare, rabbit, grafana, ...files } = named?.fields ?? {};
    const error = told ?? bare ?? rabbit ?? grafana ?? entry?.fields['entry'];
    const usual = bare ? 'nginx.conf' : rabbit ? 'rabbitmq.conf' : grafana ? 'for provisioning' : 'file';
    const words = diesOfIt?.lines
      .findLast((text) => REJECTED.test(text.slice(0, 4000)))
      ?.split('\n')
      .findLast((text) => REJECTED.test(text));
    return {
      ...namesOf(place),
      file: Object.values(files)[0] ?? usual,
      error: (error ?? words)?.replace(/\\+"/g, '"').trim().slice(0, 160) ?? (entry ? 'it is not valid' : 'it cannot be parsed'),
      volume: mounted ? `${mounted.type} ${mounted.source ?? mounted.name}` : 'a ConfigMap',
      object: mounted?.source ?? 'NAME',
    };
  },

  fixes: [
    {
      say: 'Look at the file as {container} sees it',
      risk: 'reads-only',
      steps: [
        {
          say: 'the ConfigMap behind {file}, and when it was changed',
          run: 'kubectl -n {{namespace}} get configmap {{object}} -o yaml --show-managed-fields',
          on: 'cluster',
        },
        { say: 'let the program check it where it can: nginx -t, haproxy -c -f, promtool check config, apachectl configtest' },
      ],
    },
    {
      say: 'Correct {file} and restart {container}',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'correct the line it names: indentation, quotes, a misspelt or removed option',
          run: 'kubectl -n {{namespace}} edit configmap {{object}}',
          on: 'cluster',
        },
        {
          say: 'pods with subPath mounts or environment from it see the change only after a restart',
          run: 'kubectl -n {{namespace}} rollout restart {{target}}',
          on: 'cluster',
        },
      ],
      verified: '{container} starts and stays up',
    },
    {
      say: 'Go back to the last version that worked',
      risk: 'restarts-pods',
      steps: [
        { say: 'if it worked before the last rollout, go back', run: 'kubectl -n {{namespace}} rollout undo {{target}}', on: 'cluster' },
      ],
      changes: [{ do: 'rollout-undo' }],
      verified: '{container} starts and stays up',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'nginx src/core/ngx_conf_file.c',
    'go-yaml, PyYAML and encoding/json error texts',
    'haproxy, httpd, PostgreSQL and Redis configuration errors',
  ],
});
