import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = (status: string) => `$ kubectl -n shop get pods
NAME                     READY   STATUS             RESTARTS      AGE
front-6d5c4b3a29-k8m7n   ${status}   4m
`;
const CRASHING = '0/1     CrashLoopBackOff   5 (61s ago)';
const log = (words: string) => `$ kubectl -n shop logs front-6d5c4b3a29-k8m7n\n${words}\n`;
const crashing = (words: string) => ({ 'pods.txt': pods(CRASHING), 'front.log': log(words) });
const held =
  'liquibase.exception.LockException: Could not acquire change log lock. Currently locked by front-6d5c4b3a29-aaaaa (10.4.0.9) since 3/4/26 8:10 AM';
const found = (words: string) => ({ evidence: crashing(words), confidence: 'certain' as const });

testCause(cause, {
  finds: {
    'migrations that nobody runs': found(
      'TimeoutError: There are still unapplied migrations after 60 seconds. Migration Head(s) in DB: set()',
    ),
    'a schema that is not there yet': found('sql schema version compatibility check failed: unable to read DB schema version'),
    'tables that nobody recorded': found(
      'org.flywaydb.core.api.FlywayException: Found non-empty schema(s) "public" but no schema history table. Use baseline()',
    ),
    'Flyway refuses': found('FlywayValidateException: Validate failed: Migrations have failed validation'),
    'a lock left behind': { ...found(held), cites: ['front.log:2'] },
    'a change set': found(
      '2026-03-04 08:10:57,699 ERROR [liquibase.changelog.ChangeSet] (main) ChangeSet META-INF/changelog.xml::4.0.0::front encountered an exception.',
    ),
    'a migration that was changed': found(
      'org.flywaydb.core.api.exception.FlywayValidateException: Migration checksum mismatch for migration version 7',
    ),
    'an older image': found("alembic.util.exc.CommandError: Can't locate revision identified by '4f2a1b3c5d6e'"),
    'one that failed before': found(
      'Error: P3009\n\nmigrate found failed migrations in the target database, new migrations will not be applied.',
    ),
  },
  rulesOut: {
    'they have run since': { evidence: crashing(`${held}\nSuccessfully applied 3 migrations to schema "front"`), by: 'done' },
    'it runs by now': { evidence: { 'pods.txt': pods('1/1     Running            0            '), 'front.log': log(held) }, by: 'well' },
  },
  asks: {
    'how the pod is doing': { evidence: { 'front.log': log(held) }, for: 'pod-status' },
  },
});
