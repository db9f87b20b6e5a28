import { and, eq, sql } from 'drizzle-orm'
import { type Fault, faultOf } from '../../../adapters/enedis/faults.ts'
import type { Db } from '../../../db/client.ts'
import { enedisCredentials } from '../../../db/schema/index.ts'
import { plural } from '../../../french.ts'
import { reportCall, suspectRefusals } from '../enedis/enedis.ts'
import type { Outcome } from './calls.ts'
import { losesConsent } from './nature.ts'
import type { Run } from './turn.ts'

/** So many points, and most of those that were asked for: one does not lose as many consents within an hour. */
const MANY = 4
const HOUR_MS = 3_600_000
/** What lasts longer is believed. */
const LONGEST_MS = 24 * HOUR_MS

type Refused = Extract<Outcome, { failed: unknown }>
const isRefused = (outcome: Outcome): outcome is Refused =>
  'failed' in outcome && losesConsent(outcome.window, outcome.failed.fault) && outcome.window.pointId !== null
const pointsOf = (outcomes: Outcome[]) => new Set(outcomes.flatMap(({ window }) => window.pointId ?? []))

const codesOf = (refused: Refused[]) => sql.param([...new Set(refused.map(({ failed }) => failed.fault.code))])
const hourAgo = (now: Date) => sql`${new Date(now.getTime() - HOUR_MS).toISOString()}::timestamptz`

/** Points that were stopped within the last hour for the same reason. */
async function recentOf(tx: Db, { credential }: Run, refused: Refused[], now: Date): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select point_id as id from point_links where company_id = ${credential.companyId}
       and blocked_at > ${hourAgo(now)} and fault->>'code' = any(${codesOf(refused)}::text[])`)
  return rows.map(({ id }) => id)
}

async function isMass(tx: Db, run: Run, outcomes: Outcome[], refused: Refused[], now: Date): Promise<boolean> {
  const { companyId, id } = run.credential
  const [row] = await tx
    .select({ since: enedisCredentials.refusingSince })
    .from(enedisCredentials)
    .where(and(eq(enedisCredentials.companyId, companyId), eq(enedisCredentials.id, id)))
    .for('update')
  if (row?.since) return now.getTime() - row.since.getTime() < LONGEST_MS
  const answered = pointsOf(outcomes.filter((outcome) => 'got' in outcome))
  const together = pointsOf(refused)
  if (together.size <= answered.size) return false
  return new Set([...together, ...(await recentOf(tx, run, refused, now))]).size >= MANY
}

const massFault = ({ fault }: Refused['failed'], many: number): Fault => ({
  ...faultOf('mass-refusal', fault.status, `${plural(many, 'point refusé', 'points refusés')} (${fault.code})`),
})

/**
 * Refusals of consent that come together are a trouble of the distributor's: they wait like one, those who were stopped a
 * moment before are not stopped any more, and the calls of the credential rest until one of them passes.
 */
export async function doubtRefusals(tx: Db, run: Run, outcomes: Outcome[], now: Date): Promise<Outcome[]> {
  const refused = outcomes.filter(isRefused)
  if (!refused.length) return outcomes
  if (!(await isMass(tx, run, outcomes, refused, now))) {
    // The distributor answers, with a refusal of its own.
    if (run.troubled) await reportCall(tx, run.credential, 'refused', now)
    run.troubled = false
    return outcomes
  }
  await tx.execute(sql`
    update point_links set blocked_at = null, fault = null where company_id = ${run.credential.companyId}
       and blocked_at > ${hourAgo(now)} and fault->>'code' = any(${codesOf(refused)}::text[])`)
  await suspectRefusals(tx, run.credential, now)
  run.troubled = true
  run.blocked.clear()
  const many = pointsOf(refused).size
  return outcomes.map((outcome) =>
    isRefused(outcome)
      ? { ...outcome, failed: { ...outcome.failed, fault: massFault(outcome.failed, many) } }
      : outcome,
  )
}
