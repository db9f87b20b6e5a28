import type { Db } from '../../db/client.ts'
import { count, type Finding, fault, good, some, warning } from './finding.ts'

const CHECK = 'bloat'
/** Twice what makes autovacuum come, and enough to matter. */
const TABLES = `
  select relname as name, n_dead_tup::float8 as dead,
         greatest(last_vacuum, last_autovacuum) < now() - interval '1 day' or greatest(last_vacuum, last_autovacuum) is null as late
    from pg_stat_user_tables
   where n_dead_tup > 10000 and n_dead_tup > 0.4 * n_live_tup order by n_dead_tup desc`
const SETTINGS = `
  select current_setting('autovacuum') = 'on' as vacuums,
         age(datfrozenxid)::float8 as age, current_setting('autovacuum_freeze_max_age')::float8 as most,
         (select count(*)::int from pg_stat_activity where datname = current_database()
             and state like 'idle in transaction%' and state_change < now() - interval '10 minutes') as idle
    from pg_database where datname = current_database()`
type Settings = { vacuums: boolean; age: number; most: number; idle: number }

const VACUUM =
  'Lancez «\u00a0vacuum (analyze) <table>\u00a0» avec le rôle propriétaire, puis baissez autovacuum_vacuum_scale_factor pour cette table.'

/** What hinders the cleaning of the whole database. */
export function judge({ vacuums, age, most, idle }: Settings): Finding[] {
  const found: Finding[] = []
  if (!vacuums)
    found.push(fault(CHECK, 'autovacuum est éteint\u00a0: la base grossit sans fin', 'Remettez autovacuum = on.'))
  if (age > 2 * most)
    found.push(
      fault(
        CHECK,
        `La base approche de la fin de ses numéros de transaction (${count(age)})`,
        'Lancez «\u00a0vacuum freeze\u00a0» avec le superutilisateur, et cherchez la transaction ou l’emplacement de réplication qui le retient.',
      ),
    )
  if (idle)
    found.push(
      warning(
        CHECK,
        `${count(idle)} transaction(s) ouverte(s) sans rien faire depuis dix minutes\u00a0: rien ne se nettoie derrière elles`,
        'Regardez pg_stat_activity, et fermez-les avec pg_terminate_backend.',
      ),
    )
  return found
}

export async function checkBloat({ $client }: Db): Promise<Finding[]> {
  const { rows } = await $client.query<{ name: string; dead: number; late: boolean }>(TABLES)
  const found = (await $client.query<Settings>(SETTINGS)).rows.flatMap(judge)
  const late = rows.filter((one) => one.late).map(({ name, dead }) => `${name} (${count(dead)} lignes mortes)`)
  if (late.length) found.push(warning(CHECK, `Nettoyage en retard\u00a0: ${some(late)}`, VACUUM))
  return found.length ? found : [good(CHECK, 'Nettoyage automatique à jour')]
}
