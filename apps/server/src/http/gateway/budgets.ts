import type { CallLimits } from '@voisol/contract/api-keys'
import type { ErrorCode } from '@voisol/contract/errors'
import type { Db } from '../../db/client.ts'
import { skipWhenReadOnly } from '../../db/read-only.ts'
import type { Actor } from '../actor.ts'
import { AppError } from '../errors.ts'
import {
  reserveTokensOfMonth,
  reserveTokensOfSecond,
  reserveTokensUnrecorded,
  returnMonthTokens,
  type TokenReservation,
} from './leases.ts'

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
