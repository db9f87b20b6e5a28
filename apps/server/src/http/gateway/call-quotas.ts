import type { CallLimits } from '@voisol/contract/api-keys'
import type { ErrorCode } from '@voisol/contract/errors'
import { type Db, queryPrepared } from '../../db/client.ts'
import { skipWhenReadOnly } from '../../db/database-errors.ts'
import type { Actor } from '../actor.ts'
import { AppError } from '../errors.ts'

/** The owner id for the budget shared by all keys of a company. */
export const ALL_KEYS_OWNER = '00000000-0000-0000-0000-000000000000'

type QuotaWindow = 'second' | 'month'
type CallQuota = { owner: string; span: QuotaWindow; limit: number; code: ErrorCode }
/** The part of a budget that this process reserved: calls it may allow until then, or none until then. */
type QuotaSlice = TokenReservation & { companyId: number; owner: string; limit: number; until: number; usedAt: number }
type QuotaUse = { budget: CallQuota; slice: QuotaSlice }

const IDLE_SLICE_MS = 30_000

const toQuotas = (owner: string, { perSecond, perMonth }: CallLimits, whose: 'key' | 'company'): CallQuota[] => [
  ...(perSecond ? [{ owner, span: 'second' as const, limit: perSecond, code: `${whose}-rate` as const }] : []),
  ...(perMonth ? [{ owner, span: 'month' as const, limit: perMonth, code: `${whose}-quota` as const }] : []),
]

const listQuotasOfActor = ({ keyId = '', limits }: Actor): CallQuota[] =>
  limits ? [...toQuotas(keyId, limits.key, 'key'), ...toQuotas(ALL_KEYS_OWNER, limits.company, 'company')] : []

/** The state of a budget in an answer (RateLimit header fields for HTTP). */
export type RateLimitStatus = { name: string; limit: number; window: number; left: number; resets: number }

const toRateLimitStatus = ({ budget: { span, code, limit }, slice }: QuotaUse): RateLimitStatus => ({
  name: code.startsWith('key') ? `cle-${span}` : `organisation-${span}`,
  limit,
  window: slice.window,
  left: Math.max(0, slice.left + slice.shared),
  resets: slice.resets,
})

/**
 * Limits shared by all processes at low cost: each process reserves a slice of the budget from the database and allows
 * calls from it, so that one query serves several calls. An unused slice is returned in time.
 */
// A monotonic clock: the wall clock, set back, would block a company for as long.
export function createCallQuotas(db: Db, now = () => performance.now()) {
  const slices = new Map<string, QuotaSlice>()
  const pendingSlices = new Map<string, Promise<QuotaSlice>>()

  async function returnSlice({ companyId, owner, left, isRecorded = true }: QuotaSlice): Promise<void> {
    if (isRecorded) await skipWhenReadOnly(returnMonthTokens(db, companyId, owner, left))
  }

  async function reserveSlice(name: string, companyId: number, { owner, span, limit }: CallQuota): Promise<QuotaSlice> {
    const last = slices.get(name)
    slices.delete(name)
    if (last && span === 'month') await returnSlice(last)
    const recorded = (span === 'second' ? reserveTokensOfSecond : reserveTokensOfMonth)(db, companyId, owner, limit)
    const taken = (await skipWhenReadOnly(recorded)) ?? reserveTokensUnrecorded(limit)
    const until = now() + (taken.left > 0 ? taken.lasts : taken.wait)
    const slice = { ...taken, companyId, owner, limit, until, usedAt: now() }
    slices.set(name, slice)
    return slice
  }

  /** The present slice, or a new one: simultaneous calls share one query. */
  function getSlice(companyId: number, budget: CallQuota): QuotaSlice | Promise<QuotaSlice> {
    const name = `${companyId} ${budget.owner} ${budget.span}`
    const known = slices.get(name)
    const holds = known && known.limit === budget.limit && now() < known.until
    if (holds && (known.left > 0 || known.wait > 0)) return known
    const pending =
      pendingSlices.get(name) ?? reserveSlice(name, companyId, budget).finally(() => pendingSlices.delete(name))
    pendingSlices.set(name, pending)
    return pending
  }

  function refuse({ budget, slice }: QuotaUse): AppError {
    const wait = Math.max(1, Math.ceil((slice.until - now()) / 1000))
    return new AppError(budget.code, { retryAfter: budget.span === 'month' ? slice.resets : wait })
  }

  return {
    /** Takes a call from every budget that applies, or refuses it and takes from none. */
    async spend(actor: Actor): Promise<{ told: RateLimitStatus[]; refused?: AppError }> {
      const budgets = listQuotasOfActor(actor)
      for (;;) {
        const all: QuotaUse[] = []
        for (const budget of budgets) all.push({ budget, slice: await getSlice(actor.companyId, budget) })
        const empty = all.find(({ slice }) => slice.left <= 0)
        // A slice used up by others while this call waited is requested again.
        if (empty && empty.slice.wait === 0) continue
        if (empty) return { told: all.map(toRateLimitStatus), refused: refuse(empty) }
        for (const { slice } of all) {
          slice.left--
          slice.usedAt = now()
        }
        return { told: all.map(toRateLimitStatus) }
      }
    },
    /** Returns idle slices, so that others can use what is left of a month; at shutdown, all of them. */
    async tidy(restMs = IDLE_SLICE_MS): Promise<void> {
      const resting = [...slices].filter(([, { usedAt }]) => now() - usedAt >= restMs)
      for (const [name] of resting) slices.delete(name)
      for (const [name, slice] of resting) if (name.endsWith('month')) await returnSlice(slice)
    },
  }
}
export type CallQuotas = ReturnType<typeof createCallQuotas>

/** The result of a reservation: so many calls for so long; or none, and how long to wait. */
type TokenReservation = {
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

async function reserveTokensOfSecond(
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

async function reserveTokensOfMonth(
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
const reserveTokensUnrecorded = (limit: number): TokenReservation => {
  const left = Math.max(1, Math.min(limit, MAX_SLICE))
  return { left, shared: 0, lasts: SLICE_MS, wait: SLICE_MS, window: 1, resets: 1, isRecorded: false }
}

const RETURN_MONTH_QUERY = `update call_budgets set amount = greatest(0, amount - $3::int)
   where company_id = $1 and owner = $2 and span = 'month' and at >= ${monthStartSql('now()')}`

/** Returns the unused part of a month's reservation. */
async function returnMonthTokens(db: Db, companyId: number, owner: string, left: number): Promise<void> {
  if (left > 0) await queryPrepared(db, 'return-month', RETURN_MONTH_QUERY, [companyId, owner, left])
}
