import { energy } from '@voisol/contract/energy'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { Deps } from './deps.ts'
import { loadFirstAdmin } from './features/administration/demo/demo.ts'
import { loadEnergySummary } from './features/understanding/energy/energy.ts'
import { getToday } from './today.ts'

/**
 * Loads the figures of one operation after the start: the first user then finds open connections, prepared plans and
 * compiled code. Optional.
 */
export async function warmUp({ db, config, log }: Deps): Promise<void> {
  try {
    const { rows } = await db.execute<{ id: string; companyId: number }>(sql`
      select o.id, o.company_id as "companyId" from operations o
       where o.status = 'active' order by o.created_at limit 1`)
    const [operation] = rows
    if (!operation) return
    const actor = await loadFirstAdmin(db, operation.companyId)
    const to = monthOf(getToday())
    const query = energy.summary.query.parse({ operationId: operation.id, from: addMonths(to, -1), to })
    energy.summary.response.parse(await loadEnergySummary(db, actor, config, query))
  } catch (err) {
    log.debug({ err }, 'warm')
  }
}
