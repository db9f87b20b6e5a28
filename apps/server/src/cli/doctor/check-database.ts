import { is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { loadChecksumFailures } from '../../db/checksum-failures.ts'
import type { Db } from '../../db/client.ts'
import { DATABASE_CORRUPTED, RESTORE_ADVICE } from '../../db/database-errors.ts'
import * as schema from '../../db/schema/index.ts'
import { JOBS_COMPONENT } from '../../jobs/heartbeat.ts'
import { getJobLabel } from '../../jobs/job-names.ts'
import { DEAD_LETTER } from '../../jobs/queue.ts'
import {
  createFaultFinding,
  createOkFinding,
  createWarningFinding,
  type DoctorFinding,
  formatInteger,
  formatMegabytes,
  formatShortList,
} from './finding.ts'

const BLOAT_CHECK = 'bloat'
/** Twice the threshold of autovacuum, and large enough to matter. */
const BLOATED_TABLES_QUERY = `
  select relname as name, n_dead_tup::float8 as dead,
         greatest(last_vacuum, last_autovacuum) < now() - interval '1 day' or greatest(last_vacuum, last_autovacuum) is null as late
    from pg_stat_user_tables
   where n_dead_tup > 10000 and n_dead_tup > 0.4 * n_live_tup order by n_dead_tup desc`
const VACUUM_SETTINGS_QUERY = `
  select current_setting('autovacuum') = 'on' as vacuums,
         age(datfrozenxid)::float8 as age, current_setting('autovacuum_freeze_max_age')::float8 as most,
         (select count(*)::int from pg_stat_activity where datname = current_database()
             and state like 'idle in transaction%' and state_change < now() - interval '10 minutes') as idle
    from pg_database where datname = current_database()`
type VacuumSettings = { vacuums: boolean; age: number; most: number; idle: number }

const VACUUM_ADVICE =
  'Lancez «\u00a0vacuum (analyze) <table>\u00a0» avec le rôle propriétaire, puis baissez autovacuum_vacuum_scale_factor pour cette table.'

/** What prevents vacuum in the whole database. */
export function findCleanupProblems({ vacuums, age, most, idle }: VacuumSettings): DoctorFinding[] {
  const found: DoctorFinding[] = []
  if (!vacuums)
    found.push(
      createFaultFinding(
        BLOAT_CHECK,
        'autovacuum est éteint\u00a0: la base grossit sans fin',
        'Remettez autovacuum = on.',
      ),
    )
  if (age > 2 * most)
    found.push(
      createFaultFinding(
        BLOAT_CHECK,
        `La base approche de la fin de ses numéros de transaction (${formatInteger(age)})`,
        'Lancez «\u00a0vacuum freeze\u00a0» avec le superutilisateur, et cherchez la transaction ou l’emplacement de réplication qui le retient.',
      ),
    )
  if (idle)
    found.push(
      createWarningFinding(
        BLOAT_CHECK,
        `${formatInteger(idle)} transaction(s) ouverte(s) sans rien faire depuis dix minutes\u00a0: rien ne se nettoie derrière elles`,
        'Regardez pg_stat_activity, et fermez-les avec pg_terminate_backend.',
      ),
    )
  return found
}

export async function checkBloat({ $client }: Db): Promise<DoctorFinding[]> {
  const { rows } = await $client.query<{ name: string; dead: number; late: boolean }>(BLOATED_TABLES_QUERY)
  const found = (await $client.query<VacuumSettings>(VACUUM_SETTINGS_QUERY)).rows.flatMap(findCleanupProblems)
  const late = rows.filter((one) => one.late).map(({ name, dead }) => `${name} (${formatInteger(dead)} lignes mortes)`)
  if (late.length)
    found.push(createWarningFinding(BLOAT_CHECK, `Nettoyage en retard\u00a0: ${formatShortList(late)}`, VACUUM_ADVICE))
  return found.length ? found : [createOkFinding(BLOAT_CHECK, 'Nettoyage automatique à jour')]
}

const INDEXES_CHECK = 'indexes'
/** Indexes of the job queue are checked by the queue, except those we added. */
const EXPECTED_INDEXES = [
  'voisol_turns',
  ...Object.values(schema)
    .filter((one) => is(one, PgTable))
    .flatMap((table) => getTableConfig(table).indexes.map((index) => index.config.name ?? '')),
]

const UNUSED_LIMITS = { bytes: 50_000_000, days: 14 }
/** Small indexes and unique ones are not reported, nor are counts that started only yesterday. */
const INDEXES_QUERY = `
  select c.relname as name, i.indisvalid and i.indisready as valid, pg_relation_size(c.oid)::float8 as bytes,
         not i.indisunique and coalesce(s.idx_scan, 0) = 0 and pg_relation_size(c.oid) > $1
           and coalesce((select stats_reset from pg_stat_database where datname = current_database()),
                        pg_postmaster_start_time()) < now() - make_interval(days => $2) as unused
    from pg_index i join pg_class c on c.oid = i.indexrelid
    join pg_namespace n on n.oid = c.relnamespace
    left join pg_stat_all_indexes s on s.indexrelid = i.indexrelid
   where n.nspname in ('public', 'jobs')`
type Index = { name: string; valid: boolean; bytes: number; unused: boolean }

export async function checkIndexes({ $client }: Db, unusedBeyond = UNUSED_LIMITS): Promise<DoctorFinding[]> {
  const { rows } = await $client.query<Index>(INDEXES_QUERY, [unusedBeyond.bytes, unusedBeyond.days])
  const there = new Set(rows.map(({ name }) => name))
  const missing = EXPECTED_INDEXES.filter((name) => name && !there.has(name))
  const invalid = rows.filter(({ valid }) => !valid).map(({ name }) => name)
  const unused = rows.filter((one) => one.unused).map(({ name, bytes }) => `${name} (${formatMegabytes(bytes)})`)
  const found: DoctorFinding[] = []
  if (missing.length)
    found.push(
      createFaultFinding(
        INDEXES_CHECK,
        `Index manquants\u00a0: ${formatShortList(missing)}`,
        'Lancez «\u00a0voisol migrate\u00a0»\u00a0; si la base est à jour, refaites-les d’après apps/server/src/db/migrations, avec «\u00a0create index concurrently\u00a0».',
      ),
    )
  if (invalid.length)
    found.push(
      createFaultFinding(
        INDEXES_CHECK,
        `Index invalides, que PostgreSQL n’utilise pas\u00a0: ${formatShortList(invalid)}`,
        `Refaites-les avec le rôle propriétaire\u00a0: «\u00a0reindex index concurrently ${invalid[0]}\u00a0».`,
      ),
    )
  if (unused.length)
    found.push(
      createWarningFinding(
        INDEXES_CHECK,
        `Index jamais lus depuis quatorze jours\u00a0: ${formatShortList(unused)}`,
        'Sur un serveur secondaire ils servent peut-être\u00a0: regardez pg_stat_user_indexes de chacun avant d’en parler dans un ticket. N’en supprimez pas\u00a0: la migration suivante les attend.',
      ),
    )
  return found.length ? found : [createOkFinding(INDEXES_CHECK, `Index en place (${rows.length})`)]
}

const DAMAGE_CHECK = 'damage'

/** Damage that PostgreSQL found while reading; unread pages are not checked, which is why a backup reads everything. */
export async function checkDamage(db: Pick<Db, '$client'>): Promise<DoctorFinding[]> {
  const { rows } = await db.$client.query<{ on: boolean }>(`select current_setting('data_checksums') = 'on' as on`)
  if (!rows[0]?.on)
    return [
      createOkFinding(
        DAMAGE_CHECK,
        'Pages sans somme de contrôle\u00a0: PostgreSQL ne compte pas celles qui sont abîmées',
      ),
    ]
  const { pages, last } = await loadChecksumFailures(db)
  if (!pages) return [createOkFinding(DAMAGE_CHECK, 'Aucune page abîmée n’a été lue')]
  const when = last ? `, la dernière fois le ${last.toISOString()}` : ''
  return [
    createFaultFinding(
      DAMAGE_CHECK,
      `${DATABASE_CORRUPTED}\u00a0: ${formatInteger(pages)} lectures refusées${when}`,
      RESTORE_ADVICE,
    ),
  ]
}

const JOBS_CHECK = 'jobs'
const LATE_JOBS_QUERY = `
  select name, count(*)::int as n, extract(epoch from now() - min(start_after))::float8 / 60 as minutes
    from jobs.job where state in ('created', 'retry') and start_after < now() - interval '5 minutes'
     and name not like '\\_\\_pgboss%' and name <> $1 group by name order by 3 desc`
const DEAD_JOBS_QUERY = `
  select count(*)::int as n from jobs.job where name = $1 and state in ('created', 'retry')`
const HEARTBEAT_QUERY = `
  select count(*) = 0 or max(at) > now() - interval '3 minutes' as beats from status_samples where component = $1`

export async function checkJobs({ $client }: Db): Promise<DoctorFinding[]> {
  const late = (await $client.query<{ name: string; n: number; minutes: number }>(LATE_JOBS_QUERY, [DEAD_LETTER])).rows
  const dead = (await $client.query<{ n: number }>(DEAD_JOBS_QUERY, [DEAD_LETTER])).rows[0]?.n ?? 0
  const beats = (await $client.query<{ beats: boolean }>(HEARTBEAT_QUERY, [JOBS_COMPONENT])).rows[0]?.beats ?? true
  const found: DoctorFinding[] = []
  if (late.length) {
    const named = late.map(
      ({ name, n, minutes }) => `${getJobLabel(name)} (${formatInteger(n)}, ${formatInteger(minutes)}\u00a0min)`,
    )
    const remedy = beats
      ? 'La file ne se vide pas\u00a0: ajoutez un processus ROLE=worker, et cherchez la tâche lente dans le journal («\u00a0slow query\u00a0»).'
      : 'Aucun ROLE=worker ne tourne\u00a0: démarrez-en un.'
    found.push(createFaultFinding(JOBS_CHECK, `Tâches en retard\u00a0: ${formatShortList(named)}`, remedy))
  } else if (!beats)
    found.push(
      createWarningFinding(
        JOBS_CHECK,
        'Aucune tâche n’a tourné depuis trois minutes',
        'Si le serveur est en marche, vérifiez qu’un processus a ROLE=worker ou all.',
      ),
    )
  if (dead)
    found.push(
      createWarningFinding(
        JOBS_CHECK,
        `${formatInteger(dead)} tâche(s) abandonnée(s)`,
        'Lisez leur raison et relancez-les à /admin/esb, une fois la cause réparée.',
      ),
    )
  return found.length ? found : [createOkFinding(JOBS_CHECK, 'Aucune tâche en retard ni abandonnée')]
}
