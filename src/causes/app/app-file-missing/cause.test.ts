import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const listing = (row = '0/1     CrashLoopBackOff   5 (61s ago)   4m') =>
  `NAMESPACE   NAME                     READY   STATUS             RESTARTS      AGE\nforge       anvil-5c7d8f9b6d-q8z4n   ${row}\n`;
const log = (text: string) => `$ kubectl -n forge logs anvil-5c7d8f9b6d-q8z4n --previous\n${text}\n`;
const found = (text: string, confidence: 'certain' | 'probable' | 'possible' = 'certain') => ({
  evidence: { 'pods.txt': listing(), 'log.txt': log(text) },
  confidence,
  place: 'Deployment forge/anvil',
});

testCause(cause, {
  finds: {
    'a file beside the program': found('panic: open anvil.yaml: no such file or directory'),
    'an agent of Java': found('Error opening zip file or JAR manifest missing : /agent/anvil.jar'),
    'ZooKeeper without its number': found('Caused by: java.lang.IllegalArgumentException: /srv/anvil/myid file is missing'),
    'Kafka without a formatted folder': found('java.lang.RuntimeException: No readable meta.properties files found.'),
    'a site that was not built': found("Error: Could not find a production build in the '.next' directory."),
    'settings of .NET': found(
      "Unhandled exception. System.IO.FileNotFoundException: The configuration file 'appsettings.json' was not found and is not optional.",
    ),
    Redis: found("# Fatal error, can't open config file '/etc/anvil/redis.conf': No such file or directory"),
    'the class path of Spring': found(
      'java.io.FileNotFoundException: class path resource [anvil-context.xml] cannot be opened because it does not exist',
    ),
    '.NET': found("The command could not be loaded, possibly because:\n      The application 'anvil.dll' does not exist."),
    Rust: found('Error: Os { code: 2, kind: NotFound, message: "No such file or directory" }'),
    'a certificate of nginx': found(
      'nginx: [emerg] cannot load certificate "/etc/nginx/tls/tls.crt": BIO_new_file() failed (SSL: error:80000002:system library::No such file or directory:calling fopen)',
    ),
    'in passing': found(
      '[ERROR] Failed to read the base file /etc/anvil/base.conf - open /etc/anvil/base.conf: no such file or directory',
      'possible',
    ),
    Go: found('Error: failed to read config: open /etc/anvil/config.yaml: no such file or directory'),
    Python: found("FileNotFoundError: [Errno 2] No such file or directory: '/config/settings.toml'"),
    Node: found("Error: ENOENT: no such file or directory, open '/app/config/prod.json'"),
    Java: found('java.io.FileNotFoundException: /opt/anvil/conf/application.yml (No such file or directory)'),
    'a script': found('/entrypoint.d/20-templates.sh: line 10: cd: /srv/anvil/templates: No such file or directory'),
    nginx: found('nginx: [emerg] open() "/etc/nginx/certs/tls.crt" failed (2: No such file or directory)'),
  },
  rulesOut: {
    'a healthy pod': {
      evidence: {
        'pods.txt': listing('1/1     Running            0             4m'),
        'log.txt': log("FileNotFoundError: [Errno 2] No such file or directory: '/config/settings.toml'"),
      },
      by: 'well',
    },
    'long over': {
      evidence: {
        'pods.txt': listing('1/1     Running            5 (8d ago)    8d'),
        'log.txt': log("FileNotFoundError: [Errno 2] No such file or directory: '/config/settings.toml'"),
      },
      by: 'over',
    },
  },
  asks: {
    'the state of the pod': {
      evidence: { 'paste.txt': "FileNotFoundError: [Errno 2] No such file or directory: '/config/settings.toml'\n" },
      for: 'pod-status',
    },
  },
});
