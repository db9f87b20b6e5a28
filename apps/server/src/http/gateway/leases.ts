import { type Db, queryPrepared } from '../../db/client.ts'

/** The result of a reservation: so many calls for so long; or none, and how long to wait. */
export type TokenReservation = {
  left: number
  /** What others may still take. */
  shared: number
  lasts: number
  wait: number
  /** Length of the window in seconds, and time until the next one. */
  window: number
  resets: number
  /** False for calls that a process allows by itself while nothing can be written. */
  isRecorded?: boolean
}

/**
 * A token bucket that refills at the limit's rate and holds one second of it. The clock is read once, in the inserted
 * row: Citus does not allow it elsewhere.
 */
const AVAILABLE_SQL = `least($3::float8, b.amount + greatest(0, extract(epoch from excluded.at - b.at)) * $3::float8)`
const RESERVE_SECOND_QUERY = `
  insert into call_budgets as b (company_id, owner, span, at, amount, taken)
  values ($1, $2, 'second', clock_timestamp(), $3::float8 - $4::int, $4)
  on conflict (company_id, owner, span) do update set
    taken = least($4::int, floor(${AVAILABLE_SQL}))::int,
    amount = ${AVAILABLE_SQL} - least($4::int, floor(${AVAILABLE_SQL})),
    at = greatest(b.at, excluded.at)
  returning taken, amount`

const SLICES_PER_SECOND = 10
/** Reserves a tenth of a second's worth: low limits are looked up at each call, high ones ten times a second. */
const SLICE_MS = 1000

export async function reserveTokensOfSecond(
  db: Db,
  companyId: number,
  owner: string,
  limit: number,
): Promise<TokenReservation> {
  const wanted = Math.max(1, Math.floor(limit / SLICES_PER_SECOND))
  const { rows } = await queryPrepared<{ taken: number; amount: number }>(db, 'lease-second', RESERVE_SECOND_QUERY, [
    companyId,
    owner,
    limit,
    wanted,
  ])
  const { taken = 0, amount = 0 } = rows[0] ?? {}
  const wait = taken > 0 ? 0 : Math.max(1, Math.ceil(((1 - amount) / limit) * 1000))
  return { left: taken, shared: Math.floor(amount), lasts: SLICE_MS, wait, window: 1, resets: 1 }
}

/** The part of the month already reserved; a new month starts at zero. Slices get smaller near the end. */
const monthStartSql = (at: string, plus = '0 months') =>
  `((date_trunc('month', ${at} at time zone 'Europe/Paris') + interval '${plus}') at time zone 'Europe/Paris')`
const USED_SQL = `case when b.at < ${monthStartSql('excluded.at')} then 0 else b.amount end`
const WANTED_SQL = `greatest(1, least($4::int, floor(($3::int - ${USED_SQL}) / 20)))`
const TAKEN_SQL = `greatest(0, least(${WANTED_SQL}, $3::int - ${USED_SQL}))`
const RESERVE_MONTH_QUERY = `
  insert into call_budgets as b (company_id, owner, span, at, amount, taken) values ($1, $2, 'month', now(), 1, 1)
  on conflict (company_id, owner, span) do update set
    taken = (${TAKEN_SQL})::int, amount = ${USED_SQL} + ${TAKEN_SQL}, at = greatest(b.at, excluded.at)
  returning taken, amount,
    extract(epoch from ${monthStartSql('b.at', '1 month')} - ${monthStartSql('b.at')})::int as window,
    ceil(extract(epoch from ${monthStartSql('b.at', '1 month')} - b.at))::int as resets`
const MAX_SLICE = 100
const EXHAUSTED_RETRY_MS = 10_000

type MonthRow = { taken: number; amount: number; window: number; resets: number }

export async function reserveTokensOfMonth(
  db: Db,
  companyId: number,
  owner: string,
  limit: number,
): Promise<TokenReservation> {
  const values = [companyId, owner, limit, MAX_SLICE]
  const { rows } = await queryPrepared<MonthRow>(db, 'lease-month', RESERVE_MONTH_QUERY, values)
  const { taken = 0, amount = 0, window = 0, resets = 1 } = rows[0] ?? {}
  return {
    left: taken,
    shared: Math.max(0, limit - amount),
    lasts: resets * 1000,
    // What others return is noticed after a while.
    wait: taken > 0 ? 0 : EXHAUSTED_RETRY_MS,
    window,
    resets,
  }
}

/**
 * Calls that this process allows by itself for a second while the database takes no writes. Nothing is recorded, so
 * nothing is returned.
 */
export const reserveTokensUnrecorded = (limit: number): TokenReservation => {
  const left = Math.max(1, Math.min(limit, MAX_SLICE))
  return { left, shared: 0, lasts: SLICE_MS, wait: SLICE_MS, window: 1, resets: 1, isRecorded: false }
}

const RETURN_MONTH_QUERY = `update call_budgets set amount = greatest(0, amount - $3::int)
   where company_id = $1 and owner = $2 and span = 'month' and at >= ${monthStartSql('now()')}`

/** Returns the unused part of a month's reservation. */
export async function returnMonthTokens(db: Db, companyId: number, owner: string, left: number): Promise<void> {
  if (left > 0) await queryPrepared(db, 'return-month', RETURN_MONTH_QUERY, [companyId, owner, left])
}
