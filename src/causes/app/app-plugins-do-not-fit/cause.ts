import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, proves } from '../../define-cause.ts';

/** Each program compares the versions its plugins were made for, and ends rather than run with one that does not fit. */
const misfit = line(
  [
    'but there is an older version defined on the top level',
    'requires a greater version of Jenkins',
    'or later to run this plugin',
    '] was built for Elasticsearch version',
    '] was built for OpenSearch version',
    'plugins are incompatible with',
    'is only compatible with Kibana version',
    'requires at least Sonar',
    'Plugin API version',
  ],
  ['container-log', 'prose'],
  /Plugin (?<plugin>[\w.-]{1,80}):\S{1,60} (?:\(via [^)\n]{1,120}\) )?depends on (?<needs>[\w.-]{1,80}:[\w.+-]{1,60}), but there is an older version defined on the top level - (?<has>[\w.-]{1,80}:[\w.+-]{1,60}?)(?=[,\s]|$)|Plugin (?<jenkins>[\w.-]{1,80}):\S{1,60} (?:\(via [^)\n]{1,120}\) )?requires a greater version of Jenkins \((?<core>[\w.]{1,20})\)|update Jenkins from version (?<from>[\w.]{1,20}) to version (?<to>[\w.]{1,20}) or later to run this plugin|[Pp]lugin \[(?<engine>[\w.-]{1,80})\] was built for (?:Elasticsearch|OpenSearch) version (?<built>[\w.-]{1,20}) but version (?<runs>[\w.-]{1,20}) is|Plugin [\\"]{1,3}(?<kibana>[\w.-]{1,80})[\\"]{1,3} is only compatible with Kibana version|Plugin (?<sonar>[^\n[]{1,80}) \[\w{1,60}\] requires at least Sonar/,
);
/** The heading of such a list. */
const heading = line(['plugin prerequisites not met', 'PluginPrerequisitesNotMetException'], ['container-log', 'prose']);
const absent = line(
  ['plugin is enabled but not installed', 'plugins_not_found'],
  ['container-log', 'prose'],
  /(?<kong>[\w-]{1,80}) plugin is enabled but not installed|plugins_not_found,\s{0,4}\[:?(?<rabbit>\w{1,80})/,
);

export const cause = defineCause({
  id: 'app-plugins-do-not-fit',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['init-crash', 'crash-loop', 'restarts', 'failed', 'not-ready', 'other-trouble'],

  text: {
    name: 'Plugins do not fit',
    title: '{container} cannot load its plugins: {what}',
    why: 'Plugins are made for certain versions of the program and of each other, and {container} checks that before it works. Here {what}. Usual ways there: some plugins are pinned to a version and what they depend on is not, so a release of today asks for more than the pin of last year; the image was raised and the plugins in the volume were not, or the other way round; or a custom image with the plugin was replaced by the plain one. Nothing in the cluster has changed, and it fails at every start.',
  },

  clues: {
    misfit: proves(misfit, byContainers),
    heading: proves(heading, byContainers),
    absent: proves(absent, byContainers),
    well: excludes('pod.status', isWell),
    over: excludes('pod.history'),
  },
  says: {
    misfit: 'it compares versions and refuses: {what}',
    heading: 'it says that plugins lack what they depend on',
    absent: 'it is told to load a plugin that is not there: {what}',
    well: 'the pod runs and is ready, or has finished well',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { misfit: refused, absent: gone }) => {
    const fields = refused?.fields ?? {};
    const missing = gone?.fields['kong'] ?? gone?.fields['rabbit'];
    const core = fields['core'] ?? fields['to'];
    const other = fields['kibana'] ?? fields['sonar']?.trim();
    const what = fields['needs']
      ? `plugin ${fields['plugin']} depends on the newer ${fields['needs']}, and ${fields['has']} is pinned`
      : core
        ? `plugin ${fields['jenkins'] ?? 'of the list'} requires Jenkins ${core} or newer`
        : fields['engine']
          ? `plugin ${fields['engine']} is for version ${fields['built']}, and ${fields['runs']} runs`
          : other
            ? `plugin ${other} is for another version of the program`
            : missing
              ? `plugin ${missing} is not in the image`
              : 'versions of plugins that others depend on are not met';
    return { ...namesOf(place), what };
  },

  fixes: [
    {
      say: 'See which plugins in which versions are asked for, and which version of the program runs',
      risk: 'reads-only',
      steps: [
        {
          say: 'all complaints, not only the first',
          run: 'kubectl -n {{namespace}} logs {{target}} --all-containers --tail=60',
          on: 'cluster',
        },
        {
          say: 'the image, and the list in the values of the chart (Jenkins: controller.installPlugins)',
          run: "helm -n {{namespace}} get values RELEASE --all | grep -nE -A12 'installPlugins|plugins|tag:'",
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Raise the pinned plugin to the version that is asked for, or take the chart and image of a release in which they fit',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'Jenkins: list the plugin with the newer version in controller.installPlugins, or set controller.installLatestPlugins=false so that dependencies stay at their oldest fitting version',
          run: 'helm -n {{namespace}} upgrade RELEASE CHART -f values.yaml',
          on: 'cluster',
        },
        { say: 'Elasticsearch, Kibana, SonarQube, Kong: build the image with the plugin made for exactly this version of the program' },
      ],
      verified: '{container} starts and names its plugins as loaded',
    },
    {
      say: 'It worked before: go back to the image and plugins of then',
      risk: 'restarts-pods',
      steps: [{ say: 'undo the rollout', run: 'kubectl -n {{namespace}} rollout undo {{target}}', on: 'cluster' }],
      changes: [{ do: 'rollout-undo' }],
      verified: '{container} starts again',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'jenkinsci/plugin-installation-manager-tool PluginManager.java, PluginDependencyStrategyException',
    'elasticsearch server/src/main/java/org/elasticsearch/plugins/PluginsUtils.java (verifyCompatibility)',
    'kong/db/schema/plugin_loader.lua',
  ],
});
