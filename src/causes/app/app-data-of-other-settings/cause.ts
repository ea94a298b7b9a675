import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

/** Settings a database takes once, when it makes its files; each of these compares them with what it is told now. */
const differs = line(
  [
    'Different lower_case_table_names settings',
    'but the innodb_page_size start-up parameter is',
    'than specified in the .cnf file',
    'pages specified in the .cnf file',
    'Requested option conflicts with current storage engine option',
    'but the specified storage engine was',
    'Cannot change the number of tokens',
    'differs from previous rack',
    'The database cluster was initialized with',
    'The database cluster appears to use a different',
    'is already being used in another erasure deployment',
    'SnapDirContentCheckException',
    'LogDirContentCheckException',
  ],
  'container-log',
  /(?<error>(?<drives>drive|disk) is already being used in another erasure deployment\.?(?: \(Number of (?:drives|disks) specified: (?<drivesNow>\d{1,4}) but the number of (?:drives|disks) found in [^\n]{1,40}?format\.json: (?<drivesThen>\d{1,4})\))?|(?<zookeeper>Snap|Log)DirContentCheckException: [^\n]{3,120}|Different (?<tables>lower_case_table_names) settings for server \('(?<now>\d)'\) and data dictionary \('(?<then>\d)'\)|uses page size (?<pageThen>\d{3,6}), but the (?<page>innodb_page_size) start-up parameter is (?<pageNow>\d{3,6})|[Ll]og file \.?\/?(?<log>ib_logfile\d) is of different size[^\n]{0,80} than specified in the \.cnf file|data file '[^'\n]{1,200}' is of a different size[^\n]{0,80}pages specified in the \.cnf file|Requested option conflicts with current storage engine option for (?<option>\w{1,40})|created by the '?(?<engine>\w{2,20})'? storage engine, but the specified storage engine was '?\w{2,20}|Cannot change the number of (?<tokens>tokens) from (?<tokensThen>\d{1,5}) to (?<tokensNow>\d{1,5})|snitch's (?<rack>rack) \(\S{1,60}\) differs from previous rack \(\S{1,60}|The database cluster was initialized with(?:out)? (?<built>[A-Z][A-Z0-9_]{3,40})[^\n]{0,60}, but the server|The database cluster was initialized with(?:out)? (?<alone>USE_\w{3,40}|HAVE_\w{3,40}) but the server|The database cluster appears to use a different (?<format>[a-z][a-z -]{3,60}))/,
);
const claim = supports('pod.volume', ({ type }) => /PersistentVolumeClaim|HostPath|NFS/i.test(type));
/** What PostgreSQL says of an upgrade begins with the same words. */
const version = line(
  ['initialized by PostgreSQL version', 'initialized with PG_CONTROL_VERSION', 'initialized with CATALOG_VERSION_NO'],
  [],
);

export const cause = defineCause({
  id: 'app-data-of-other-settings',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash', 'other-trouble'],

  text: {
    name: 'Data made with other settings',
    title: '{container} refuses its data: it was made with another {setting} than is set now ({error})',
    why: 'A database takes {setting} once, when it makes its files, and cannot change it afterwards. The files on the volume were made with another value than the one it is started with now ({error}): the configuration was changed later, an earlier installation without it left its claim behind, or the files were copied from another system. {note}The data is whole; {container} ends rather than misread it.',
  },

  clues: {
    differs: proves(differs, byContainers),
    claim,
    version: excludes(version),
    well: excludes('pod.status', isWell),
  },
  says: {
    differs: 'it compares {setting} of its files with its configuration: {error}',
    claim: 'it mounts {volume}, which keeps the files of before',
    version: 'the files are of another version of the program',
    well: 'the pod runs and is ready, or has finished well',
  },
  slots: (place, { differs: said, claim: mounted }) => {
    const fields = said?.fields ?? {};
    return {
      ...namesOf(place),
      setting: settingIn(fields),
      note: noteOn(fields),
      before: fields['then'] ?? fields['drivesThen'] ?? fields['pageThen'] ?? fields['tokensThen'] ?? 'the value of before',
      error: (fields['error'] ?? 'the two differ').replace(/\s+/g, ' ').trim().slice(0, 200),
      volume: mounted ? `volume ${mounted.name}${mounted.source ? ` (${mounted.source})` : ''}` : 'a volume',
    };
  },

  fixes: [
    {
      say: 'Set {setting} back to the value the data was made with ({before})',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'where it is set: arguments, environment and ConfigMap of the workload',
          run: 'kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE -A6 "args:|command:|env:|configMap:"; kubectl -n {{namespace}} get configmap',
          on: 'cluster',
        },
        { say: 'then start it anew', run: 'kubectl -n {{namespace}} rollout restart {{target}}', on: 'cluster' },
      ],
      verified: 'the database starts and finds its data',
    },
    {
      say: 'To keep the new value: dump the data with the old one, make an empty volume, start with the new value and load the dump',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'only an empty database takes the new value; where there is no data yet, delete the claim and let it be made anew',
          run: 'kubectl -n {{namespace}} get pvc',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'minio cmd/format-erasure.go; zookeeper server/persistence/FileTxnSnapLog.java (checkSnapDir, checkLogDir)',
    'mysql-server sql/dd/impl/bootstrap (lower_case_table_names), storage/innobase/fsp/fsp0sysspace.cc',
    'mongo src/mongo/db/storage/storage_engine_metadata.cpp',
    'cassandra src/java/org/apache/cassandra/db/SystemKeyspace.java, StorageService.java',
    'postgres src/backend/access/transam/xlog.c (ReadControlFile)',
  ],
});

/** The setting by the name its manual has for it. */
function settingIn(fields: Readonly<Record<string, string>>): string {
  if (fields['tokens']) return 'num_tokens';
  if (fields['drives']) return 'number of drives (layout)';
  if (fields['zookeeper']) return 'dataDir or dataLogDir';
  if (fields['log']) return 'innodb_log_file_size';
  if (fields['engine']) return 'storage engine';
  const named = ['tables', 'page', 'option', 'rack', 'built', 'alone', 'format'].map((name) => fields[name]).find(Boolean);
  return named?.trim() ?? 'innodb_data_file_path';
}

/** What else brings it about, for programs whose message tells only half. */
function noteOn(fields: Readonly<Record<string, string>>): string {
  if (fields['zookeeper'])
    return 'ZooKeeper keeps snapshots in dataDir and transaction logs in dataLogDir, and finds one kind among the other: dataLogDir was set or taken away later, or two volumes are the same directory below (the same host path or export). ';
  if (fields['drives'])
    return 'MinIO writes into each drive (.minio.sys/format.json) how many drives its set has, and a set cannot grow or shrink: give it as many drives or replicas as before, or an empty volume. ';
  return '';
}
