import { type Db, queryPrepared } from '../../../db/client.ts'
import { ENEDIS_QUOTAS } from '../../../integrations/enedis/call-templates.ts'

export { ENEDIS_QUOTAS }

type CredentialKey = { companyId: number; id: string }

/** A tenth more than a second, since network delays can bring calls closer together. */
const SECOND_WINDOW_MS = 1100
const HOUR_MS = 3_600_000
/** How long a trial call of an open circuit may take before another one is allowed. */
const TRIAL_MS = 30_000

/**
 * Calls come in groups of five: the next group starts this long after the last call of the previous one, so that no
 * second, wherever it starts, contains six. An hour starts with its first call. A clock set back ends both.
 */
const SAME_SECOND = `abs(extract(epoch from $3::timestamptz - second_at)) < ${SECOND_WINDOW_MS / 1000}`
const SAME_HOUR = `abs(extract(epoch from $3::timestamptz - hour_at)) < 3600`
const buildCountColumns = (calls: string) => `
         second_calls = case when ${SAME_SECOND} then second_calls + ${calls} else ${calls} end,
         second_at = case when ${SAME_SECOND} then greatest(second_at, $3) else $3 end,
         hour_calls = case when ${SAME_HOUR} then hour_calls + ${calls} else ${calls} end,
         hour_at = case when ${SAME_HOUR} then hour_at else $3 end`
const ACQUIRE_QUERY = `
  update enedis_credentials set ${buildCountColumns('1')},
         circuit = case when circuit = 'closed' then circuit else 'half-open' end,
         paused_until = case when circuit = 'closed' then paused_until
                             else $5 end
   where company_id = $1 and id = $2 and (paused_until is null or paused_until <= $3)
     and (($4 and environment = 'local')
          or (coalesce(${SAME_SECOND}, false) and second_calls >= ${ENEDIS_QUOTAS.second}) is false
         and (coalesce(${SAME_HOUR}, false) and hour_calls >= ${ENEDIS_QUOTAS.hour}) is false)`
const PACE_QUERY = `
  select paused_until as "pausedUntil", second_at as "secondAt", second_calls as "secondCalls",
         hour_at as "hourAt", hour_calls as "hourCalls"
    from enedis_credentials where company_id = $1 and id = $2`
type UsedCalls = { secondAt: Date | null; secondCalls: number; hourAt: Date | null; hourCalls: number }
type PaceRow = UsedCalls & { pausedUntil: Date | null }

const isWithin = (at: Date | null, now: Date, span: number) =>
  at !== null && Math.abs(now.getTime() - at.getTime()) < span

/** The number of calls in the current second and hour. */
export const getUsedQuotas = ({ secondAt, secondCalls, hourAt, hourCalls }: UsedCalls, now = new Date()) => ({
  second: { used: isWithin(secondAt, now, SECOND_WINDOW_MS) ? secondCalls : 0, limit: ENEDIS_QUOTAS.second },
  hour: { used: isWithin(hourAt, now, HOUR_MS) ? hourCalls : 0, limit: ENEDIS_QUOTAS.hour },
})

function computeWaitMs(seen: PaceRow, now: Date): number {
  const { second, hour } = getUsedQuotas(seen, now)
  const until = [
    seen.pausedUntil?.getTime() ?? 0,
    second.used >= ENEDIS_QUOTAS.second ? (seen.secondAt?.getTime() ?? 0) + SECOND_WINDOW_MS : 0,
    hour.used >= ENEDIS_QUOTAS.hour ? (seen.hourAt?.getTime() ?? 0) + HOUR_MS : 0,
  ]
  return Math.max(1, Math.max(...until) - now.getTime())
}

/**
 * Returns 0 when the call is counted and allowed, otherwise the milliseconds to wait. Without `quotas`, calls to the
 * simulator are counted but never delayed.
 */
export async function acquireCallSlot(
  db: Db,
  { companyId, id }: CredentialKey,
  { quotas, now = new Date() }: { quotas: boolean; now?: Date },
): Promise<number> {
  const { rowCount } = await queryPrepared(db, 'enedis-take', ACQUIRE_QUERY, [
    companyId,
    id,
    now,
    !quotas,
    new Date(now.getTime() + TRIAL_MS),
  ])
  if (rowCount) return 0
  const { rows } = await queryPrepared<PaceRow>(db, 'enedis-look', PACE_QUERY, [companyId, id])
  return rows[0] ? computeWaitMs(rows[0], now) : 0
}

const ADD_CALLS_QUERY = `update enedis_credentials set ${buildCountColumns('$4::int')} where company_id = $1 and id = $2`

/** Counts further exchanges of a call: list pages, or a token renewal. */
export async function recordExtraCalls(
  db: Db,
  { companyId, id }: CredentialKey,
  calls: number,
  now = new Date(),
): Promise<void> {
  if (calls > 0) await queryPrepared(db, 'enedis-add', ADD_CALLS_QUERY, [companyId, id, now, calls])
}

/** The longest pause accepted from the distributor; afterwards one trial call is made. */
const MAX_PAUSE_MS = 24 * HOUR_MS
const PAUSE_QUERY = `
  update enedis_credentials set told_until = greatest(told_until, $3), paused_until = greatest(paused_until, $3),
         circuit = case when $4 then 'open' else circuit end
   where company_id = $1 and id = $2`

/** No call until then, as the distributor requested. An existing pause is only extended. */
export async function pauseCalls(
  db: Db,
  { companyId, id }: CredentialKey,
  until: Date,
  now = new Date(),
): Promise<void> {
  const last = now.getTime() + MAX_PAUSE_MS
  const capped = !(until.getTime() <= last)
  await queryPrepared(db, 'enedis-pause', PAUSE_QUERY, [companyId, id, capped ? new Date(last) : until, capped])
}

/** A success does not end a pause requested by the distributor. */
const CLOSE_CIRCUIT_QUERY = `
  update enedis_credentials set circuit = 'closed', circuit_failures = 0,
         refusing_since = case when $4 then refusing_since end,
         paused_until = case when circuit = 'closed' then paused_until when told_until > $3 then told_until end
   where company_id = $1 and id = $2 and (circuit <> 'closed' or circuit_failures > 0 or refusing_since is not null)`
const OPENS_CIRCUIT = `(circuit = 'half-open' or circuit_failures + 1 >= 5)`
const LONGER_PAUSE = `greatest(paused_until, to_timestamp($3::float8
           + least(900, 60 * power(2, least(10, greatest(0, circuit_failures - 4))))))`
/** One minute, then twice as long each time, up to a quarter of an hour. Calls already under way do not count. */
const FAILURE_QUERY = `
  update enedis_credentials set circuit_failures = circuit_failures + 1,
         circuit = case when ${OPENS_CIRCUIT} then 'open' else circuit end,
         paused_until = case when ${OPENS_CIRCUIT} then ${LONGER_PAUSE} else paused_until end
   where company_id = $1 and id = $2 and circuit <> 'open'`

/** Five consecutive failures of the distributor open the circuit; a success closes it, as does a genuine refusal. */
export async function recordCallOutcome(
  db: Db,
  { companyId, id }: CredentialKey,
  outcome: 'ok' | 'refused' | 'failure',
  now = new Date(),
): Promise<void> {
  if (outcome === 'failure')
    await queryPrepared(db, 'enedis-fail', FAILURE_QUERY, [companyId, id, now.getTime() / 1000])
  else await queryPrepared(db, 'enedis-close', CLOSE_CIRCUIT_QUERY, [companyId, id, now, outcome === 'refused'])
}

const REFUSALS_QUERY = `
  update enedis_credentials set circuit = 'open', circuit_failures = greatest(circuit_failures, 4) + 1,
         refusing_since = coalesce(refusing_since, to_timestamp($3::float8)), paused_until = ${LONGER_PAUSE}
   where company_id = $1 and id = $2 and circuit in ('closed', 'half-open')`

/** Mass refusals open the circuit like failures; a trial call is made from time to time. */
export async function openCircuitForRefusals(db: Db, { companyId, id }: CredentialKey, now: Date): Promise<void> {
  await queryPrepared(db, 'enedis-suspect', REFUSALS_QUERY, [companyId, id, now.getTime() / 1000])
}
