import type { Db } from '../../db/client.ts'
import {
  createFaultFinding,
  createOkFinding,
  createWarningFinding,
  type DoctorFinding,
  formatInteger,
  formatShortList,
} from './finding.ts'

const CHECK = 'bloat'
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
      createFaultFinding(CHECK, 'autovacuum est éteint\u00a0: la base grossit sans fin', 'Remettez autovacuum = on.'),
    )
  if (age > 2 * most)
    found.push(
      createFaultFinding(
        CHECK,
        `La base approche de la fin de ses numéros de transaction (${formatInteger(age)})`,
        'Lancez «\u00a0vacuum freeze\u00a0» avec le superutilisateur, et cherchez la transaction ou l’emplacement de réplication qui le retient.',
      ),
    )
  if (idle)
    found.push(
      createWarningFinding(
        CHECK,
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
    found.push(createWarningFinding(CHECK, `Nettoyage en retard\u00a0: ${formatShortList(late)}`, VACUUM_ADVICE))
  return found.length ? found : [createOkFinding(CHECK, 'Nettoyage automatique à jour')]
}
