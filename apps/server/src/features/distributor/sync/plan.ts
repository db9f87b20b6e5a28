import { dayStart } from '@voisol/energy/calendar'
import { and, eq, sql } from 'drizzle-orm'
import { type Db, transaction } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { findCredentialFor } from '../enedis/enedis.ts'
import { retryDoubtfulPoints } from './block.ts'
import { type Clock, getParisTime, SYSTEM_CLOCK } from './clock.ts'
import { planMonthCorrections } from './plan-again.ts'
import { planCurves } from './plan-curves.ts'
import { planMonth } from './plan-month.ts'

type PlannedCompany = { companyId: number; hour: number; rollingDays: number }
/** What is needed to plan the sync of one operation. */
export type SyncPlanContext = PlannedCompany & {
  operationId: string
  acc: string
  credentialId: string
  now: Date
  today: string
  /** The instant at which the local day began. */
  dawn: Date
}

/** Companies with sync enabled; without a setting, those that have credentials. */
const listCompaniesToPlan = async (db: Db): Promise<PlannedCompany[]> => {
  const { rows } = await db.execute<PlannedCompany>(sql`
    select c.company_id as "companyId", coalesce(s.hour, 8) as hour, coalesce(s.rolling_days, 30) as "rollingDays"
      from (select distinct company_id from enedis_credentials) c
      left join sync_settings s on s.company_id = c.company_id
     where coalesce(s.enabled, true) order by c.company_id`)
  return rows
}

/** Plans today's requests after the configured hour of each company. Running again adds nothing. */
export async function planDailySync(deps: Deps, clock: Clock = SYSTEM_CLOCK): Promise<void> {
  const now = clock.now()
  const { day: today, minuteOfDay } = getParisTime(now)
  const dawn = new Date(dayStart(today) * 60_000)
  for (const company of await listCompaniesToPlan(deps.db)) {
    if (minuteOfDay < company.hour * 60) continue
    try {
      await planCompany(deps, company, { now, today, dawn })
    } catch (err) {
      // An error in one company must not stop the others.
      deps.log.error({ err, companyId: company.companyId }, 'the day of a company was not planned')
    }
  }
}

async function planCompany(
  deps: Deps,
  company: PlannedCompany,
  day: Pick<SyncPlanContext, 'now' | 'today' | 'dawn'>,
): Promise<void> {
  const { companyId } = company
  await transaction(deps.db, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`sync plan ${companyId}`}, 0))`)
    await retryDoubtfulPoints(tx, companyId, day.now)
    const running = await tx
      .select({ operationId: operations.id, acc: operations.accNumber })
      .from(operations)
      .where(and(eq(operations.companyId, companyId), eq(operations.status, 'active')))
      .orderBy(operations.name, operations.id)
    for (const { operationId, acc } of running) {
      const credential = await findCredentialFor(tx, companyId, operationId)
      if (!credential) continue
      const planned = { ...company, ...day, operationId, acc: acc ?? '', credentialId: credential.id }
      await planCurves(tx, planned)
      if (!acc) continue
      await planMonth(tx, planned)
      await planMonthCorrections(tx, planned)
    }
  })
}

/** Credentials with due calls, or with calls left by a killed process. */
export async function enqueueDueRuns(deps: Deps, clock: Clock = SYSTEM_CLOCK): Promise<void> {
  const { rows } = await deps.db.execute<{ companyId: number; credentialId: string }>(sql`
    select distinct w.company_id as "companyId", w.credential_id as "credentialId"
      from sync_windows w join enedis_credentials c on c.company_id = w.company_id and c.id = w.credential_id
     where w.status in ('waiting', 'running') and w.next_at <= ${clock.now().toISOString()}::timestamptz
       and (c.paused_until is null or c.paused_until <= ${clock.now().toISOString()}::timestamptz)`)
  for (const job of rows) await enqueue(deps.db, 'sync.run', job, { once: job.credentialId })
}
