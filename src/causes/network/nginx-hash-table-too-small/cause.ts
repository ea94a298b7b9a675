import { defineCause, excludes, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

/** nginx refuses to start, or keeps its old configuration. */
const refused = line(
  ['could not build '],
  ['container-log', 'host-tools', 'prose'],
  /could not build (?:the )?(?!optimal )(?<table>[a-z_]{3,40})_hash(?:es)?,? ?[^\n]{0,40}?you should increase (?:either )?(?:[a-z_]{3,60}_max_size: \d{1,9} or )?(?<setting>[a-z_]{3,60}): (?<size>\d{1,9})/,
);
/** With a warning it works on, only slower. */
const warned = line(['could not build optimal '], ['container-log'], /could not build optimal (?<table>[a-z_]{3,40})_hash/);
const broken = line(
  ['unknown directive', 'host not found in upstream', 'unexpected end of file', 'cannot load certificate'],
  [],
  /(?:unknown directive|host not found in upstream|unexpected end of file|cannot load certificate)/,
);

/** Names of the same settings in the ConfigMap of ingress-nginx. */
const KEYS: Readonly<Record<string, string>> = {
  server_names_hash_bucket_size: 'server-name-hash-bucket-size',
  server_names_hash_max_size: 'server-name-hash-max-size',
};

export const cause = defineCause({
  id: 'nginx-hash-table-too-small',
  area: 'network',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'other-trouble'],

  text: {
    name: 'Hash table of nginx too small',
    title: 'nginx refuses its configuration: its hash table {table} is too small ({setting} {size})',
    why: 'nginx keeps server names, variables, maps and headers in hash tables whose size is fixed when it loads its configuration. A long host name, a new rule or a new annotation no longer fits into {table} with {setting} {size}, so the configuration test fails: a controller goes on with the old rules, and a fresh nginx does not start at all.',
  },

  clues: {
    refused: proves(refused),
    warned: supports(warned),
    broken: excludes(broken),
  },
  says: {
    refused: 'nginx cannot build the table {table}: {setting} is {size}',
    warned: 'nginx warns of the table {table}',
    broken: 'the configuration has another fault, which nginx names',
  },
  slots: (place, { refused: said, warned: hint }) => {
    const setting = said?.fields['setting'] ?? 'hash_bucket_size';
    const size = said?.fields['size'] ?? '64';
    return {
      ...namesOf(place),
      table: `${said?.fields['table'] ?? hint?.fields['table'] ?? 'of names'}_hash`,
      setting,
      size,
      key: KEYS[setting] ?? setting.replaceAll('_', '-'),
      larger: String(Number(size) * 2),
    };
  },

  fixes: [
    {
      say: 'Double the value: {setting} {larger}',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'ingress-nginx: key {key} of the ConfigMap of the controller',
          run: 'kubectl -n ingress-nginx patch configmap ingress-nginx-controller --type merge -p \'{"data":{"{{key}}":"{{larger}}"}}\'',
          on: 'cluster',
        },
        {
          say: 'NGINX Inc. controller: key {key} of the ConfigMap nginx-config; an nginx of your own: the line {setting} {larger}; in its block http',
        },
      ],
      verified: 'nginx -t passes and the log says that the backend was reloaded',
    },
    {
      say: 'See which name or rule came last',
      risk: 'reads-only',
      steps: [
        {
          say: 'long host names need larger buckets',
          run: 'kubectl get ingress -A -o custom-columns=NAME:.metadata.name,HOSTS:.spec.rules[*].host',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['nginx src/core/ngx_hash.c', 'kubernetes/ingress-nginx docs: configmap'],
});
