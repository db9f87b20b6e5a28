import { is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../../db/client.ts'
import * as schema from '../../db/schema/index.ts'
import {
  createFaultFinding,
  createOkFinding,
  createWarningFinding,
  type DoctorFinding,
  formatMegabytes,
  formatShortList,
} from './finding.ts'

const CHECK = 'indexes'
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
        CHECK,
        `Index manquants\u00a0: ${formatShortList(missing)}`,
        'Lancez «\u00a0voisol migrate\u00a0»\u00a0; si la base est à jour, refaites-les d’après apps/server/src/db/migrations, avec «\u00a0create index concurrently\u00a0».',
      ),
    )
  if (invalid.length)
    found.push(
      createFaultFinding(
        CHECK,
        `Index invalides, que PostgreSQL n’utilise pas\u00a0: ${formatShortList(invalid)}`,
        `Refaites-les avec le rôle propriétaire\u00a0: «\u00a0reindex index concurrently ${invalid[0]}\u00a0».`,
      ),
    )
  if (unused.length)
    found.push(
      createWarningFinding(
        CHECK,
        `Index jamais lus depuis quatorze jours\u00a0: ${formatShortList(unused)}`,
        'Sur un serveur secondaire ils servent peut-être\u00a0: regardez pg_stat_user_indexes de chacun avant d’en parler dans un ticket. N’en supprimez pas\u00a0: la migration suivante les attend.',
      ),
    )
  return found.length ? found : [createOkFinding(CHECK, `Index en place (${rows.length})`)]
}
