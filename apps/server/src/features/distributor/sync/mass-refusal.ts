import { and, eq, sql } from 'drizzle-orm'
import { buildDistributorFault, type DistributorFault } from '../../../adapters/enedis/faults.ts'
import type { Db } from '../../../db/client.ts'
import { enedisCredentials } from '../../../db/schema/index.ts'
import { formatCount } from '../../../french.ts'
import { openCircuitForRefusals, recordCallOutcome } from '../enedis/enedis.ts'
import type { CallOutcome } from './calls.ts'
import { isConsentLoss } from './nature.ts'
import type { SyncRun } from './turn.ts'

/** So many points, and most of the requested ones: so many consents are not lost within an hour. */
const MIN_MASS_POINTS = 4
const HOUR_MS = 3_600_000
/** A refusal that lasts longer than this is accepted as genuine. */
const MAX_DOUBT_MS = 24 * HOUR_MS

type RefusedOutcome = Extract<CallOutcome, { failed: unknown }>
const isRefused = (outcome: CallOutcome): outcome is RefusedOutcome =>
  'failed' in outcome && isConsentLoss(outcome.window, outcome.failed.fault) && outcome.window.pointId !== null
const getPointIds = (outcomes: CallOutcome[]) => new Set(outcomes.flatMap(({ window }) => window.pointId ?? []))

const getFaultCodes = (refused: RefusedOutcome[]) =>
  sql.param([...new Set(refused.map(({ failed }) => failed.fault.code))])
const toSqlHourAgo = (now: Date) => sql`${new Date(now.getTime() - HOUR_MS).toISOString()}::timestamptz`

/** Points blocked within the last hour for the same reason. */
async function listRecentlyBlockedPoints(
  tx: Db,
  { credential }: SyncRun,
  refused: RefusedOutcome[],
  now: Date,
): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select point_id as id from point_links where company_id = ${credential.companyId}
       and blocked_at > ${toSqlHourAgo(now)} and fault->>'code' = any(${getFaultCodes(refused)}::text[])`)
  return rows.map(({ id }) => id)
}

async function isMassRefusal(
  tx: Db,
  run: SyncRun,
  outcomes: CallOutcome[],
  refused: RefusedOutcome[],
  now: Date,
): Promise<boolean> {
  const { companyId, id } = run.credential
  const [row] = await tx
    .select({ since: enedisCredentials.refusingSince })
    .from(enedisCredentials)
    .where(and(eq(enedisCredentials.companyId, companyId), eq(enedisCredentials.id, id)))
    .for('update')
  if (row?.since) return now.getTime() - row.since.getTime() < MAX_DOUBT_MS
  const answered = getPointIds(outcomes.filter((outcome) => 'got' in outcome))
  const together = getPointIds(refused)
  if (together.size <= answered.size) return false
  return new Set([...together, ...(await listRecentlyBlockedPoints(tx, run, refused, now))]).size >= MIN_MASS_POINTS
}

const buildMassFault = ({ fault }: RefusedOutcome['failed'], many: number): DistributorFault => ({
  ...buildDistributorFault(
    'mass-refusal',
    fault.status,
    `${formatCount(many, 'point refusé', 'points refusés')} (${fault.code})`,
  ),
})

/**
 * Simultaneous consent refusals of many points are an error of the distributor: they are retried like one, points
 * blocked just before are resumed, and the calls of the credential pause until one succeeds.
 */
export async function handleMassRefusals(
  tx: Db,
  run: SyncRun,
  outcomes: CallOutcome[],
  now: Date,
): Promise<CallOutcome[]> {
  const refused = outcomes.filter(isRefused)
  if (!refused.length) return outcomes
  if (!(await isMassRefusal(tx, run, outcomes, refused, now))) {
    // A genuine refusal shows that the distributor answers.
    if (run.troubled) await recordCallOutcome(tx, run.credential, 'refused', now)
    run.troubled = false
    return outcomes
  }
  await tx.execute(sql`
    update point_links set blocked_at = null, fault = null where company_id = ${run.credential.companyId}
       and blocked_at > ${toSqlHourAgo(now)} and fault->>'code' = any(${getFaultCodes(refused)}::text[])`)
  await openCircuitForRefusals(tx, run.credential, now)
  run.troubled = true
  run.blocked.clear()
  const many = getPointIds(refused).size
  return outcomes.map((outcome) =>
    isRefused(outcome)
      ? { ...outcome, failed: { ...outcome.failed, fault: buildMassFault(outcome.failed, many) } }
      : outcome,
  )
}
