import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const listing = `$ kubectl -n web get pods
NAME                      READY   STATUS             RESTARTS      AGE
front-7b6c8d9f54-x4kzq    0/1     CrashLoopBackOff   5 (61s ago)   4m
`;

const described = `$ kubectl -n web describe pod front-7b6c8d9f54-x4kzq
Name:           front-7b6c8d9f54-x4kzq
Namespace:      web
Node:           worker-5/10.4.0.15
Status:         Running
Controlled By:  ReplicaSet/front-7b6c8d9f54
Containers:
  front:
    Image:          registry.example/web/front:1.4
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       Error
      Exit Code:    1
    Ready:          False
    Restart Count:  5
Volumes:
  conf:
    Type:      ConfigMap (a volume populated by a ConfigMap)
    Name:      front-conf
    Optional:  false
QoS Class:       BestEffort
Events:          <none>
`;

const log = (text: string) => `$ kubectl -n web logs front-7b6c8d9f54-x4kzq -c front\n${text}\n`;
const place = 'container front of Deployment web/front';
const found = (text: string) => ({
  evidence: { 'pods.txt': listing, 'log.txt': log(text) },
  confidence: 'certain' as const,
  place,
  cites: ['log.txt:2'],
});

testCause(cause, {
  finds: {
    'a collector, a part that is not defined': found(
      'Error: invalid configuration: service::pipelines::metrics: references receiver "spans" which is not configured',
    ),
    'a collector, a part it does not know': found(
      '\'receivers\' unknown type: "kubelet_stat" for id: "kubelet_stat" (valid values: [otlp prometheus])',
    ),
    'a collector, an entry it does not know': found("* '' has invalid keys: queue_settings"),
    'Loki, a schema that does not fit': found(
      'level=error ts=2026-03-04T08:10:57Z caller=main.go:70 msg="validating config" err="CONFIG ERROR: schema v13 is required to store Structured Metadata"',
    ),
    Alertmanager: found(
      'ts=2026-03-04T08:10:57.123Z caller=coordinator.go:118 level=error component=configuration msg="Loading configuration file failed" file=/etc/alertmanager/alertmanager.yml err="undefined receiver used in route"',
    ),
    'Fluent Bit': found("[2026/03/04 08:10:57] [error] [config] section 'kubernets' tried to instance a plugin name that don't exists"),
    Vector: found('2026-03-04T08:10:57.000Z ERROR vector::cli: Configuration error. error=unknown variant `kubernetes_log`'),
    Telegraf: found(
      'E! [telegraf] Error running agent: error loading config file /etc/telegraf/telegraf.conf: plugin inputs.cpux: undefined',
    ),
    Logstash: found(
      '[2026-03-04T08:10:57,123][ERROR][logstash.agent] Failed to execute action {:exception=>"LogStash::ConfigurationError", :message=>"Expected one of"',
    ),
    Alloy: found('Error: /etc/alloy/config.alloy:12:1: cannot find the definition of component name "loki.source.podlogz"'),
    'a field, and the file it stands in': found('Error: unknown field "servce" in /etc/front/config.yaml'),
    Caddy: found('Error: adapting config using caddyfile: /etc/caddy/Caddyfile:3: unrecognized directive: revers_proxy'),
    'what Grafana is provisioned with': found(
      'Error: ✗ Datasource provisioning error: datasource.yaml config is invalid. Only one datasource per organization can be marked as default',
    ),
    'nginx, without the place in the file': {
      evidence: { 'paste.txt': `${listing}nginx: [emerg] "default_type" directive is not allowed here\n` },
      confidence: 'probable',
    },
    'nginx, with its ConfigMap': {
      evidence: {
        'describe.txt': described,
        'log.txt': log('nginx: [emerg] unknown directive "proxy_pas" in /etc/nginx/conf.d/default.conf:12'),
      },
      confidence: 'certain',
      place,
      cites: ['log.txt:2', 'describe.txt:19'],
    },
    'nginx with time stamps': found('2025/03/03 10:12:13 [emerg] 1#1: unexpected "}" in /etc/nginx/nginx.conf:31'),
    HAProxy: found(
      "[ALERT]    (1) : config : parsing [/usr/local/etc/haproxy/haproxy.cfg:14] : unknown keyword 'balanc' in 'backend' section",
    ),
    Apache: found("AH00526: Syntax error on line 52 of /usr/local/apache2/conf/httpd.conf: Invalid command 'Lisen'"),
    Prometheus: found(
      'ts=2025-03-03T10:12:13.001Z caller=main.go:537 level=error msg="Error loading config (--config.file=/etc/prometheus/prometheus.yml)" file=/etc/prometheus/prometheus.yml err="parsing YAML file /etc/prometheus/prometheus.yml: yaml: line 12: mapping values are not allowed in this context"',
    ),
    'a Go program': found(
      'failed parsing config: /etc/front/config.yaml: yaml: unmarshal errors:\n  line 5: field listn not found in type config.Config',
    ),
    PostgreSQL: found('FATAL:  configuration file "/etc/postgresql/postgresql.conf" contains errors'),
    RabbitMQ: found(
      '2025-03-03 10:12:13.387314+00:00 [notice] <0.44.0> Application rabbitmq_prelaunch exited with reason: {{shutdown,{failed_to_start_child,prelaunch,failed_to_prepare_configuration}},{rabbit_prelaunch_app,start,[normal,[]]}}',
    ),
    'RabbitMQ and a setting it does not have': found(
      "2025-03-03 10:12:13.100000+00:00 [error] <0.130.0> You've tried to set queue.depth, but there is no setting with that name.",
    ),
    'a parser without the name of the file': {
      evidence: { 'pods.txt': listing, 'log.txt': log('panic: yaml: line 7: did not find expected key') },
      confidence: 'probable',
      place,
    },
  },
  rulesOut: {
    'a name that does not resolve': {
      evidence: {
        'pods.txt': listing,
        'log.txt': log("1:X 04 Mar 2026 08:10:57.000 # *** FATAL CONFIG FILE ERROR (Redis 7.0.5) ***\nCan't resolve instance hostname."),
      },
      by: 'unresolved',
    },
    'a healthy pod that complains of its input': {
      evidence: {
        'pods.txt': listing.replace('0/1     CrashLoopBackOff   5 (61s ago)   4m', '1/1     Running            0             4m'),
        'log.txt': log("ERROR bad request: invalid character '}' looking for beginning of object key string"),
      },
      by: 'well',
    },
    'the configuration of the kubelet': {
      evidence: {
        'pods.txt': listing,
        'kubelet.log': `Mar 03 10:12:13 worker-5 kubelet[871]: E0303 10:12:13.120001     871 run.go:72] "command failed" err="failed to load kubelet config file, path: /var/lib/kubelet/config.yaml, error: yaml: line 12: mapping values are not allowed in this context"\n`,
      },
      by: 'ofDaemon',
    },
    'long over': {
      evidence: {
        'pods.txt': listing.replace('0/1     CrashLoopBackOff   5 (61s ago)   4m', '1/1     Running            5 (8d ago)    8d'),
        'log.txt': log('nginx: [emerg] unknown directive "proxy_pas" in /etc/nginx/conf.d/default.conf:12'),
      },
      by: 'over',
    },
  },
  asks: {
    'how the pod is doing, with the log alone': {
      evidence: { 'log.txt': log('panic: yaml: line 7: did not find expected key') },
      for: 'pod-status',
    },
  },
});

describe('app-config-file-invalid and warnings', () => {
  it.each([
    '2025/03/03 10:12:13 [warn] 1#1: the "user" directive makes sense only if the master process runs with super-user privileges, ignored in /etc/nginx/nginx.conf:2',
    'nginx: [emerg] mkdir() "/var/cache/nginx/client_temp" failed (13: Permission denied)',
    'nginx: [emerg] host not found in upstream "api" in /etc/nginx/conf.d/default.conf:4',
  ])('says nothing about %s', async (text) => {
    const documents = [
      { name: 'pods.txt', text: listing },
      { name: 'log.txt', text: log(text) },
    ];
    const { incidents } = await diagnose(documents, { causes: [cause] });
    expect(incidents.map((incident) => incident.cause)).not.toContain(cause.id);
  });
});
