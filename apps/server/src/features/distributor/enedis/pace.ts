import { QUOTAS } from '../../../adapters/enedis/quotas.ts'
import { type Db, prepared } from '../../../db/client.ts'

export { QUOTAS }

type Which = { companyId: number; id: string }

/** A tenth more than a second: what leaves in time may bunch on its way. */
const SECOND_MS = 1100
const HOUR_MS = 3_600_000
/** How long the one call that tries an open circuit may take before another may try. */
const TRIAL_MS = 30_000

/**
 * Calls come in groups of five: the next group begins that long after the last call of the one before, so that no second,
 * wherever it begins, holds six. An hour begins with its first call. A clock set back ends both.
 */
const SAME_SECOND = `abs(extract(epoch from $3::timestamptz - second_at)) < ${SECOND_MS / 1000}`
const SAME_HOUR = `abs(extract(epoch from $3::timestamptz - hour_at)) < 3600`
const counted = (calls: string) => `
         second_calls = case when ${SAME_SECOND} then second_calls + ${calls} else ${calls} end,
         second_at = case when ${SAME_SECOND} then greatest(second_at, $3) else $3 end,
         hour_calls = case when ${SAME_HOUR} then hour_calls + ${calls} else ${calls} end,
         hour_at = case when ${SAME_HOUR} then hour_at else $3 end`
const TAKE = `
  update enedis_credentials set ${counted('1')},
         circuit = case when circuit = 'closed' then circuit else 'half-open' end,
         paused_until = case when circuit = 'closed' then paused_until
                             else $5 end
   where company_id = $1 and id = $2 and (paused_until is null or paused_until <= $3)
     and (($4 and environment = 'local')
          or (coalesce(${SAME_SECOND}, false) and second_calls >= ${QUOTAS.second}) is false
         and (coalesce(${SAME_HOUR}, false) and hour_calls >= ${QUOTAS.hour}) is false)`
const LOOK = `
  select paused_until as "pausedUntil", second_at as "secondAt", second_calls as "secondCalls",
         hour_at as "hourAt", hour_calls as "hourCalls"
    from enedis_credentials where company_id = $1 and id = $2`
type Used = { secondAt: Date | null; secondCalls: number; hourAt: Date | null; hourCalls: number }
type Seen = Used & { pausedUntil: Date | null }

const within = (at: Date | null, now: Date, span: number) =>
  at !== null && Math.abs(now.getTime() - at.getTime()) < span

/** Calls of the current second and of the current hour. */
export const usedOf = ({ secondAt, secondCalls, hourAt, hourCalls }: Used, now = new Date()) => ({
  second: { used: within(secondAt, now, SECOND_MS) ? secondCalls : 0, limit: QUOTAS.second },
  hour: { used: within(hourAt, now, HOUR_MS) ? hourCalls : 0, limit: QUOTAS.hour },
})

function waitOf(seen: Seen, now: Date): number {
  const { second, hour } = usedOf(seen, now)
  const until = [
    seen.pausedUntil?.getTime() ?? 0,
    second.used >= QUOTAS.second ? (seen.secondAt?.getTime() ?? 0) + SECOND_MS : 0,
    hour.used >= QUOTAS.hour ? (seen.hourAt?.getTime() ?? 0) + HOUR_MS : 0,
  ]
  return Math.max(1, Math.max(...until) - now.getTime())
}

/** Without `quotas` calls to the stand-in are counted, never held back. Zero: the call is counted and may go. Otherwise the milliseconds to wait before asking again. */
export async function takeCall(
  db: Db,
  { companyId, id }: Which,
  { quotas, now = new Date() }: { quotas: boolean; now?: Date },
): Promise<number> {
  const { rowCount } = await prepared(db, 'enedis-take', TAKE, [
    companyId,
    id,
    now,
    !quotas,
    new Date(now.getTime() + TRIAL_MS),
  ])
  if (rowCount) return 0
  const { rows } = await prepared<Seen>(db, 'enedis-look', LOOK, [companyId, id])
  return rows[0] ? waitOf(rows[0], now) : 0
}

const ADD = `update enedis_credentials set ${counted('$4::int')} where company_id = $1 and id = $2`

/** Exchanges that were made beside the one that took its turn: a list in pages, a token that had to be renewed. */
export async function addCalls(db: Db, { companyId, id }: Which, calls: number, now = new Date()): Promise<void> {
  if (calls > 0) await prepared(db, 'enedis-add', ADD, [companyId, id, now, calls])
}

/** However long the distributor asks to wait: then one call tries. */
const LONGEST_MS = 24 * HOUR_MS
const PAUSE = `
  update enedis_credentials set told_until = greatest(told_until, $3), paused_until = greatest(paused_until, $3),
         circuit = case when $4 then 'open' else circuit end
   where company_id = $1 and id = $2`

/** No call before: the distributor said so. A pause in force is only made longer. */
export async function pause(db: Db, { companyId, id }: Which, until: Date, now = new Date()): Promise<void> {
  const last = now.getTime() + LONGEST_MS
  const capped = !(until.getTime() <= last)
  await prepared(db, 'enedis-pause', PAUSE, [companyId, id, capped ? new Date(last) : until, capped])
}

/** What the distributor itself asked for outlives a success. */
const CLOSE = `
  update enedis_credentials set circuit = 'closed', circuit_failures = 0,
         refusing_since = case when $4 then refusing_since end,
         paused_until = case when circuit = 'closed' then paused_until when told_until > $3 then told_until end
   where company_id = $1 and id = $2 and (circuit <> 'closed' or circuit_failures > 0 or refusing_since is not null)`
const OPENS = `(circuit = 'half-open' or circuit_failures + 1 >= 5)`
const LONGER = `greatest(paused_until, to_timestamp($3::float8
           + least(900, 60 * power(2, least(10, greatest(0, circuit_failures - 4))))))`
/** A minute, then twice as long each time, a quarter of an hour at most. What was already on its way is not counted. */
const FAIL = `
  update enedis_credentials set circuit_failures = circuit_failures + 1,
         circuit = case when ${OPENS} then 'open' else circuit end,
         paused_until = case when ${OPENS} then ${LONGER} else paused_until end
   where company_id = $1 and id = $2 and circuit <> 'open'`

/** Five failures of the distributor's in a row stop the calls; one success lets them go on, and so does a refusal that is believed. */
export async function reportCall(
  db: Db,
  { companyId, id }: Which,
  outcome: 'ok' | 'refused' | 'failure',
  now = new Date(),
): Promise<void> {
  if (outcome === 'failure') await prepared(db, 'enedis-fail', FAIL, [companyId, id, now.getTime() / 1000])
  else await prepared(db, 'enedis-close', CLOSE, [companyId, id, now, outcome === 'refused'])
}

const SUSPECT = `
  update enedis_credentials set circuit = 'open', circuit_failures = greatest(circuit_failures, 4) + 1,
         refusing_since = coalesce(refusing_since, to_timestamp($3::float8)), paused_until = ${LONGER}
   where company_id = $1 and id = $2 and circuit in ('closed', 'half-open')`

/** Many points refused at once: the calls stop as for a failure, and one tries from time to time. */
export async function suspectRefusals(db: Db, { companyId, id }: Which, now: Date): Promise<void> {
  await prepared(db, 'enedis-suspect', SUSPECT, [companyId, id, now.getTime() / 1000])
}
