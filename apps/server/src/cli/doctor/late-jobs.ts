import type { Db } from '../../db/client.ts'
import { JOBS_COMPONENT } from '../../jobs/heartbeat.ts'
import { getJobLabel } from '../../jobs/job-names.ts'
import { DEAD_LETTER } from '../../jobs/queue.ts'
import {
  createFaultFinding,
  createOkFinding,
  createWarningFinding,
  type DoctorFinding,
  formatInteger,
  formatShortList,
} from './finding.ts'

const CHECK = 'jobs'
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
    found.push(createFaultFinding(CHECK, `Tâches en retard\u00a0: ${formatShortList(named)}`, remedy))
  } else if (!beats)
    found.push(
      createWarningFinding(
        CHECK,
        'Aucune tâche n’a tourné depuis trois minutes',
        'Si le serveur est en marche, vérifiez qu’un processus a ROLE=worker ou all.',
      ),
    )
  if (dead)
    found.push(
      createWarningFinding(
        CHECK,
        `${formatInteger(dead)} tâche(s) abandonnée(s)`,
        'Lisez leur raison et relancez-les à /admin/esb, une fois la cause réparée.',
      ),
    )
  return found.length ? found : [createOkFinding(CHECK, 'Aucune tâche en retard ni abandonnée')]
}
