import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['objects', 'container-log', 'object-events'] as const;

const template = line(
  ['/templates/', 'nil pointer evaluating', 'error calling include'],
  SAID_BY,
  /(?:template: |parse error at \(|execution error at \()(?<file>[\w.-]{1,100}(?:\/charts\/[\w.-]{1,100}){0,4}\/templates\/[\w./-]{1,200}):(?<line>\d{1,6})(?::\d{1,6})?\)?:? (?:executing [^\n]{1,200}? at <[^\n]{1,200}?>: )?(?<error>[^\n]{3,400})/,
);
const yaml = line(
  ['YAML parse error on ', 'failed to parse values', 'error unmarshaling JSON', 'failed parsing --set'],
  SAID_BY,
  /YAML parse error on (?<file>[\w./-]{1,300}): (?<error>[^\n]{3,300})|failed to parse (?<values>[\w./-]{0,200}values[\w./-]{0,100}): (?<wrong>[^\n]{3,300})|failed parsing --set[\w-]{0,10} data: (?<set>[^\n]{3,200})/,
);
const schema = line(
  ["values don't meet the specifications of the schema"],
  SAID_BY,
  /values don't meet the specifications of the schema\(s\)(?: in the following chart\(s\):)?(?:\s{1,4}(?<chart>[\w.-]{1,100}):)?(?:\s{1,4}- ?(?<error>[^\n]{3,200}))?/,
);
const detail = line(
  [
    '. Expected: ',
    'Additional property ',
    ', want integer',
    ', want string',
    ', want boolean',
    ', want object',
    ', want array',
    ', want number',
    'additional properties ',
  ],
  SAID_BY,
  /^\s{0,8}-? {0,2}(?<error>(?:[\w.()[\]-]{1,120}: (?:Invalid type\. Expected: |Additional property |Must )|at '[^'\n]{0,200}': (?:got \w{1,20}, want |additional propert))[^\n]{1,160})/m,
);
const kustomize = line(
  [
    'accumulating resources',
    'kustomize build failed',
    'unable to find one of ',
    'invalid Kustomization',
    'failed to find unique target for patch',
    'already registered id',
  ],
  SAID_BY,
  /kustomize build failed: (?<flux>[^\n]{3,400})|kustomize build [^\n]{0,300}? failed exit status \d{1,3}: (?:Error: )?(?<argo>[^\n]{3,400})|(?<error>(?:accumulating resources: |unable to find one of 'kustomization|invalid Kustomization: |failed to find unique target for patch|may not add resource with an already registered id)[^\n]{0,400})/,
);
const variable = line(
  ['post build failed for', 'variable substitution failed', 'envsubst error'],
  SAID_BY,
  /(?:post build failed for '(?<object>[^'\n]{1,200})'|variable substitution failed|envsubst error): (?<error>[^\n]{3,300})/,
);
const secret = line(
  [
    'cannot get sops data key',
    'Error getting data key: 0 successful groups',
    'secrets decryption failed',
    'decryption failed for',
    'is SOPS encrypted, configuring decryption',
  ],
  SAID_BY,
  /(?<error>(?:cannot get sops data key|Error getting data key: 0 successful groups|secrets decryption failed|decryption failed for|is SOPS encrypted, configuring decryption is required)[^\n]{0,300})/,
);
const dependency = line(
  ['missing in charts/ directory', 'while checking for chart dependencies', 'helm dependency build'],
  SAID_BY,
  /found in Chart\.yaml, but missing in charts\/ directory: (?<missing>[^\n]{1,200})|An error occurred while checking for chart dependencies/,
);
const generation = line(['Manifest generation error'], SAID_BY, /Manifest generation error(?: \(cached\))?: (?<error>[^\n]{3,400})/);
const notThere = line(['app path does not exist', 'app path is absolute'], [], /app path (?:does not exist|is absolute)/);
const since = line(
  ['Synced to ', 'STATUS: deployed', 'Happy Helming'],
  [],
  /^Sync Status:[ \t]{1,30}Synced to |^STATUS: deployed|has been upgraded\. Happy Helming/m,
);

const HINTS: readonly (readonly [error: RegExp, hint: string])[] = [
  [
    /nil pointer evaluating/,
    'The template reads a value under one that is not set at all: a key is missing in the values, is wrongly indented, or was renamed in this version of the chart.',
  ],
  [
    /cannot get sops data key|data key|decrypt/,
    'The controller has none of the keys the file was encrypted for: the Secret with the age or PGP key is not named, or its role may not use the KMS key.',
  ],
  [/no such file or directory|unable to find one of/, 'A file that kustomization.yaml names is not committed, or stands elsewhere.'],
  [
    /missing in charts\//,
    'Run helm dependency build (or update) in the folder of the chart first; Argo CD does so only when Chart.yaml and Chart.lock agree.',
  ],
  [/already registered id/, 'The same object is listed twice.'],
  [
    /failed to find unique target|no matches for Id/,
    'A patch names an object that is not among the resources: another name, kind, namespace or API version.',
  ],
  [
    /variable not set|variable substitution|envsubst/,
    'A variable has no value in postBuild.substitute or in the ConfigMaps and Secrets of substituteFrom.',
  ],
  [
    /yaml: |did not find expected|mapping values/,
    'What comes out of the template is no valid YAML: mostly indentation (nindent) or a value that needs quotes.',
  ],
  [
    /function .{1,60} not defined/,
    'The template uses a function that this version of Helm does not have, or a library chart is missing (helm dependency build).',
  ],
  [
    /Additional property|Invalid type|is required|must be one of/,
    'The chart comes with a schema for its values (values.schema.json), and a key or type does not fit it.',
  ],
];

export const cause = defineCause({
  id: 'manifests-cannot-be-rendered',
  area: 'config',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['other-trouble', 'failed', 'no-pods'],

  text: {
    name: 'Manifests cannot be rendered',
    title: 'The manifests cannot be made from {file}: {error}',
    why: 'Helm and Kustomize first turn templates, values and patches into plain manifests, on their own, before the API server sees any of it. That fails in {file}: {error}. So nothing is applied, and the cluster stays as it was. {hint}',
  },

  clues: {
    template: proves(template),
    yaml: proves(yaml),
    schema: proves(schema),
    detail: supports(detail),
    kustomize: proves(kustomize),
    variable: proves(variable),
    secret: proves(secret),
    dependency: proves(dependency),
    generation: supports(generation),
    notThere: excludes(notThere),
    since: excludes(since),
  },
  says: {
    template: 'the template {file} ends with an error: {error}',
    yaml: '{file} gives no valid YAML: {error}',
    schema: 'the values do not fit the schema of the chart: {error}',
    detail: 'which value does not fit: {error}',
    kustomize: 'Kustomize ends with an error: {error}',
    variable: 'variables cannot be filled in: {error}',
    secret: 'encrypted values cannot be decrypted: {error}',
    dependency: 'charts it depends on are not in its folder charts/: {error}',
    generation: 'Argo CD could not make the manifests: {error}',
    notThere: 'the path is not in the repository at all',
    since: 'they were rendered and applied since',
  },
  slots: (
    _place,
    {
      template: go,
      yaml: text,
      schema: rules,
      detail: value,
      kustomize: build,
      variable: filled,
      secret: locked,
      dependency: lacking,
      generation: argo,
    },
  ) => {
    const raw =
      go?.fields['error'] ??
      text?.fields['error'] ??
      text?.fields['wrong'] ??
      text?.fields['set'] ??
      value?.fields['error'] ??
      (rules ? (rules.fields['error'] ?? 'they do not fit the schema of the chart') : undefined) ??
      locked?.fields['error'] ??
      filled?.fields['error'] ??
      build?.fields['flux'] ??
      build?.fields['argo'] ??
      build?.fields['error'] ??
      (lacking
        ? `charts it depends on are missing in charts/${lacking.fields['missing'] ? `: ${lacking.fields['missing']}` : ''}`
        : undefined) ??
      argo?.fields['error'] ??
      'an error of the template';
    const error = raw
      .replaceAll('\\', '')
      .replace(/^error converting YAML to JSON: /, '')
      .trim()
      .slice(0, 200);
    const file =
      go?.fields['file'] && go.fields['line']
        ? `${go.fields['file']} (line ${go.fields['line']})`
        : (text?.fields['file'] ??
          text?.fields['values'] ??
          (rules?.fields['chart'] ? `the values of chart ${rules.fields['chart']}` : undefined) ??
          (rules ? 'the values of the chart' : build || filled || locked ? 'the Kustomization' : 'the chart'));
    return {
      file,
      error,
      hint: HINTS.find(([pattern]) => pattern.test(raw))?.[1] ?? 'The message names the place.',
    };
  },

  fixes: [
    {
      say: 'Render it by hand with the same values: the error shows at once',
      risk: 'reads-only',
      steps: [
        { say: 'a chart', run: 'helm dependency build CHART && helm template RELEASE CHART -f values.yaml --debug', on: 'cluster' },
        { say: 'an overlay', run: 'kubectl kustomize PATH', on: 'cluster' },
        { say: 'what values the chart of this version knows', run: 'helm show values CHART --version VERSION', on: 'cluster' },
      ],
    },
    {
      say: 'Correct the values, template or overlay ({error}), commit it and let it be applied again',
      risk: 'restarts-pods',
      steps: [
        { say: 'Flux', run: 'flux reconcile kustomization NAME --with-source', on: 'cluster' },
        { say: 'Argo CD, past its cache of the error', run: 'argocd app get NAME --hard-refresh', on: 'cluster' },
      ],
      verified: 'the application or release is rendered: Synced, Ready or deployed',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'helm pkg/engine/engine.go, pkg/releaseutil/manifest_sorter.go, pkg/chartutil/jsonschema.go',
    'kustomize api/internal/target/kusttarget.go, api/resmap',
    'kustomize-controller internal/controller/kustomization_controller.go, internal/decryptor; argo-cd reposerver/repository/repository.go',
  ],
});
