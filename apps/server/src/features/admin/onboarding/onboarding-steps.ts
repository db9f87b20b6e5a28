import { ONBOARDING_STEPS, type OnboardingStep } from '@voisol/contract/onboarding'
import { type SQL, sql } from 'drizzle-orm'
import { withinOperationLimit } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'

type Counts = Record<(typeof ONBOARDING_STEPS)[number], number> & { members: number; sides: number }
type OnboardingProgress = { steps: OnboardingStep[]; operationId: string | null }

const withinActorLimit = (actor: Actor, column: SQL) => withinOperationLimit(actor, column) ?? sql`true`

/** Counts existing data: no onboarding progress is stored. */
async function countOnboardingData(db: Db, actor: Actor): Promise<Counts> {
  const { companyId } = actor
  const mine = (table: string, alias: string) => sql`${sql.raw(`${table} ${alias}`)}
    where ${sql.raw(`${alias}.company_id`)} = ${companyId} and ${withinActorLimit(actor, sql.raw(`${alias}.operation_id`))}`
  const taking = sql`participations s join points p on p.company_id = s.company_id and p.id = s.point_id
    where s.company_id = ${companyId} and ${withinActorLimit(actor, sql`s.operation_id`)}`
  const { rows } = await db.execute<Counts>(sql`select
    (select count(*)::int from operations o where o.company_id = ${companyId} and ${withinActorLimit(actor, sql`o.id`)}) as operation,
    (select count(distinct s.participant_id)::int from ${taking}) as participants,
    (select count(distinct s.point_id)::int from ${taking}) as points,
    (select count(distinct p.direction)::int from ${taking}) as sides,
    (select count(distinct s.participant_id)::int from ${taking} and (s.ends_on is null or s.ends_on > ${getToday()})) as members,
    (select count(distinct s.participant_id)::int from ${taking} and (s.ends_on is null or s.ends_on > ${getToday()})
        and exists (select 1 from consents c where c.company_id = s.company_id and c.participant_id = s.participant_id
          and c.purpose = 'collection' and c.withdrawn_at is null and c.expires_on >= ${getToday()})) as consents,
    (select count(*)::int from ${mine('keys', 'k')} and k.status = 'adopted') as key,
    (select count(distinct s.point_id)::int from ${taking} and exists (
       select 1 from curve_months m where m.company_id = s.company_id and m.point_id = s.point_id)) as curves,
    (select count(*)::int from ${mine('allocation_runs', 'r')} and r.status = 'done') as run,
    (select count(*)::int from ${mine('invoices', 'i')}) as invoice`)
  const [found] = rows
  if (!found) throw new Error('nothing was counted')
  return found
}

/** The most advanced operation: one with participants first, then the oldest. */
async function findMostAdvancedOperation(db: Db, actor: Actor): Promise<string | null> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select o.id from operations o where o.company_id = ${actor.companyId} and ${withinActorLimit(actor, sql`o.id`)}
     order by exists (select 1 from participations s where s.company_id = ${actor.companyId} and s.operation_id = o.id) desc,
              o.created_at, o.id limit 1`)
  return rows[0]?.id ?? null
}

/**
 * Requires a producer and a consumer, a consent of each member and a curve of each meter; for everything else one is
 * enough.
 */
function buildOnboardingSteps(found: Counts): OnboardingStep[] {
  const of: Partial<Counts> = { consents: found.members, curves: found.points }
  return ONBOARDING_STEPS.map((step) => {
    const count = found[step]
    const target = of[step] ?? null
    const enough = step === 'points' ? found.sides === 2 : target === null || count >= target
    return { step, done: count > 0 && enough, count, of: target }
  })
}

export async function loadOnboardingProgress(db: Db, actor: Actor): Promise<OnboardingProgress> {
  return {
    steps: buildOnboardingSteps(await countOnboardingData(db, actor)),
    operationId: await findMostAdvancedOperation(db, actor),
  }
}
