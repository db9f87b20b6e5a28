import { addMonths, monthOf as firstDayOf } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { recordEvent } from '../../../core/events.ts'
import { participantUsersSql } from '../../../core/held.ts'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { loadJobActor } from '../../../http/job-actor.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { getToday } from '../../../today.ts'
import { notify } from '../../people/notifications/notifications.ts'
import { buildSolarMonth } from './month.ts'

/** The month that has just ended: older months are not notified. */
export const getLastMonth = () => addMonths(firstDayOf(getToday()), -1)

type SolarMonthJob = { companyId: number; month: string }

/**
 * Portal users who took part in that month, were not notified yet, and whose days are all covered by runs. This cheap
 * filter avoids reading figures that are certainly incomplete.
 */
export async function listUsersToNotify(db: Db, { companyId, month }: SolarMonthJob): Promise<string[]> {
  const end = addMonths(month, 1)
  const { rows } = await db.execute<{ userId: string }>(sql`
    with stays as (
      select h.user_id, s.operation_id, greatest(s.starts_on, ${month}::date) as lo,
             least(coalesce(s.ends_on, ${end}::date), ${end}::date) as hi
        from ${participantUsersSql(companyId)} h
        join memberships m on m.company_id = ${companyId} and m.user_id = h.user_id
         and m.accepted_at is not null and m.disabled_at is null
        join participations s on s.company_id = ${companyId} and s.participant_id = h.id
         and s.starts_on < ${end} and (s.ends_on is null or s.ends_on > ${month}))
    select user_id as "userId" from stays t
     where not exists (select from events e where e.company_id = ${companyId} and e.object = t.user_id::text
             and e.name = 'month.summed' and e.data ->> 'month' = ${month})
     group by user_id
    having bool_and((select count(*) from allocation_coverage c where c.company_id = ${companyId}
             and c.operation_id = t.operation_id and c.day >= t.lo and c.day < t.hi) = t.hi - t.lo)
     order by user_id`)
  return rows.map(({ userId }) => userId)
}

/**
 * Notifies and remembers it in one transaction, so that the job can run again even if the reader deleted the
 * notification.
 */
async function notifyUser(deps: Deps, { companyId, month }: SolarMonthJob, userId: string): Promise<void> {
  const actor = await loadJobActor(deps.db, companyId, userId, 'portal')
  if (actor?.space !== 'portal') return
  const words = await buildSolarMonth(deps, actor, month)
  if (!words) return
  await transaction(scopeToCompany(deps.db, companyId), async (tx) => {
    const about = { category: 'month', type: 'info', priority: 'normal' } as const
    await notify(tx, deps, { companyId, to: [userId], ...about, ...words, key: `solar-month ${month}` })
    const data = { userId, month }
    await recordEvent(tx, { companyId, name: 'month.summed', object: userId, data, once: `${userId} ${month}` })
  })
}

export async function notifySolarMonth(deps: Deps, work: SolarMonthJob, signal?: AbortSignal): Promise<void> {
  if (work.month !== getLastMonth()) return
  for (const userId of await listUsersToNotify(deps.db, work)) {
    signal?.throwIfAborted()
    // An error for one user must not stop the others; it is retried the next day.
    await notifyUser(deps, work, userId).catch((err) =>
      deps.log.error({ err, companyId: work.companyId, userId }, 'the month of a participant was not told'),
    )
  }
}

/** One job per company every day, since the last readings of a month may arrive at any time. */
export async function enqueueSolarMonths({ db }: Pick<Deps, 'db'>): Promise<void> {
  const { rows } = await db.execute<{ companyId: number }>(
    sql`select distinct company_id as "companyId" from participants where user_id is not null order by 1`,
  )
  const month = getLastMonth()
  for (const { companyId } of rows)
    await enqueue(db, 'solar-month.tell', { companyId, month }, { once: `${companyId} ${month}` })
}
