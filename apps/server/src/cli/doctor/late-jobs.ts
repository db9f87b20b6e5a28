import type { Db } from '../../db/client.ts'
import { JOBS_COMPONENT } from '../../jobs/heartbeat.ts'
import { jobName } from '../../jobs/job-names.ts'
import { DEAD_LETTER } from '../../jobs/queue.ts'
import { count, type Finding, fault, good, some, warning } from './finding.ts'

const CHECK = 'jobs'
const LATE = `
  select name, count(*)::int as n, extract(epoch from now() - min(start_after))::float8 / 60 as minutes
    from jobs.job where state in ('created', 'retry') and start_after < now() - interval '5 minutes'
     and name not like '\\_\\_pgboss%' and name <> $1 group by name order by 3 desc`
const DEAD = `
  select count(*)::int as n from jobs.job where name = $1 and state in ('created', 'retry')`
const BEAT = `
  select count(*) = 0 or max(at) > now() - interval '3 minutes' as beats from status_samples where component = $1`

export async function checkJobs({ $client }: Db): Promise<Finding[]> {
  const late = (await $client.query<{ name: string; n: number; minutes: number }>(LATE, [DEAD_LETTER])).rows
  const dead = (await $client.query<{ n: number }>(DEAD, [DEAD_LETTER])).rows[0]?.n ?? 0
  const beats = (await $client.query<{ beats: boolean }>(BEAT, [JOBS_COMPONENT])).rows[0]?.beats ?? true
  const found: Finding[] = []
  if (late.length) {
    const named = late.map(({ name, n, minutes }) => `${jobName(name)} (${count(n)}, ${count(minutes)}\u00a0min)`)
    const remedy = beats
      ? 'La file ne se vide pas\u00a0: ajoutez un processus ROLE=worker, et cherchez la tâche lente dans le journal («\u00a0slow query\u00a0»).'
      : 'Aucun ROLE=worker ne tourne\u00a0: démarrez-en un.'
    found.push(fault(CHECK, `Tâches en retard\u00a0: ${some(named)}`, remedy))
  } else if (!beats)
    found.push(
      warning(
        CHECK,
        'Aucune tâche n’a tourné depuis trois minutes',
        'Si le serveur est en marche, vérifiez qu’un processus a ROLE=worker ou all.',
      ),
    )
  if (dead)
    found.push(
      warning(
        CHECK,
        `${count(dead)} tâche(s) abandonnée(s)`,
        'Lisez leur raison et relancez-les à /admin/esb, une fois la cause réparée.',
      ),
    )
  return found.length ? found : [good(CHECK, 'Aucune tâche en retard ni abandonnée')]
}
