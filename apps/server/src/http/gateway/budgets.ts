import type { CallLimits } from '@voisol/contract/api-keys'
import type { ErrorCode } from '@voisol/contract/errors'
import type { Db } from '../../db/client.ts'
import { skipWhenReadOnly } from '../../db/read-only.ts'
import type { Actor } from '../actor.ts'
import { AppError } from '../errors.ts'
import { type Lease, leaseMonth, leaseSecond, leaseUnrecorded, returnMonth } from './leases.ts'

/** The owner of what all keys of a company share. */
export const EVERY_KEY = '00000000-0000-0000-0000-000000000000'

type Span = 'second' | 'month'
type Budget = { owner: string; span: Span; limit: number; code: ErrorCode }
/** A slice this process holds: so many calls are its own to let in until then, or none are until then. */
type Slice = Lease & { companyId: number; owner: string; limit: number; until: number; usedAt: number }
type Held = { budget: Budget; slice: Slice }

const REST_MS = 30_000

const spansOf = (owner: string, { perSecond, perMonth }: CallLimits, whose: 'key' | 'company'): Budget[] => [
  ...(perSecond ? [{ owner, span: 'second' as const, limit: perSecond, code: `${whose}-rate` as const }] : []),
  ...(perMonth ? [{ owner, span: 'month' as const, limit: perMonth, code: `${whose}-quota` as const }] : []),
]

const budgetsOf = ({ keyId = '', limits }: Actor): Budget[] =>
  limits ? [...spansOf(keyId, limits.key, 'key'), ...spansOf(EVERY_KEY, limits.company, 'company')] : []

/** What is said of a budget in the answer (RateLimit header fields for HTTP). */
export type Told = { name: string; limit: number; window: number; left: number; resets: number }

const toldOf = ({ budget: { span, code, limit }, slice }: Held): Told => ({
  name: code.startsWith('key') ? `cle-${span}` : `organisation-${span}`,
  limit,
  window: slice.window,
  left: Math.max(0, slice.left + slice.shared),
  resets: slice.resets,
})

/**
 * Limits that all processes share at little cost: each takes a slice of what is left from the database and lets its
 * calls in from that, so that one look serves several calls. A slice that is not used up in time is let go.
 */
// Not the clock of the day: set back, it would keep a company out for as long.
export function openBudgets(db: Db, now = () => performance.now()) {
  const held = new Map<string, Slice>()
  const asked = new Map<string, Promise<Slice>>()

  async function giveBack({ companyId, owner, left, isRecorded = true }: Slice): Promise<void> {
    if (isRecorded) await skipWhenReadOnly(returnMonth(db, companyId, owner, left))
  }

  async function lease(name: string, companyId: number, { owner, span, limit }: Budget): Promise<Slice> {
    const last = held.get(name)
    held.delete(name)
    if (last && span === 'month') await giveBack(last)
    const recorded = (span === 'second' ? leaseSecond : leaseMonth)(db, companyId, owner, limit)
    const taken = (await skipWhenReadOnly(recorded)) ?? leaseUnrecorded(limit)
    const until = now() + (taken.left > 0 ? taken.lasts : taken.wait)
    const slice = { ...taken, companyId, owner, limit, until, usedAt: now() }
    held.set(name, slice)
    return slice
  }

  /** The slice at hand, or another: calls that come together wait for one look. */
  function sliceOf(companyId: number, budget: Budget): Slice | Promise<Slice> {
    const name = `${companyId} ${budget.owner} ${budget.span}`
    const known = held.get(name)
    const holds = known && known.limit === budget.limit && now() < known.until
    if (holds && (known.left > 0 || known.wait > 0)) return known
    const pending = asked.get(name) ?? lease(name, companyId, budget).finally(() => asked.delete(name))
    asked.set(name, pending)
    return pending
  }

  function refuse({ budget, slice }: Held): AppError {
    const wait = Math.max(1, Math.ceil((slice.until - now()) / 1000))
    return new AppError(budget.code, { retryAfter: budget.span === 'month' ? slice.resets : wait })
  }

  return {
    /** Takes a call from every budget it falls under, or refuses it and takes from none. */
    async spend(actor: Actor): Promise<{ told: Told[]; refused?: AppError }> {
      const budgets = budgetsOf(actor)
      for (;;) {
        const all: Held[] = []
        for (const budget of budgets) all.push({ budget, slice: await sliceOf(actor.companyId, budget) })
        const empty = all.find(({ slice }) => slice.left <= 0)
        // One that others have used up while this call waited for the next is asked for again.
        if (empty && empty.slice.wait === 0) continue
        if (empty) return { told: all.map(toldOf), refused: refuse(empty) }
        for (const { slice } of all) {
          slice.left--
          slice.usedAt = now()
        }
        return { told: all.map(toldOf) }
      }
    },
    /** Lets go of slices that rest; what is left of a month goes back to the others. At the end, of all of them. */
    async tidy(restMs = REST_MS): Promise<void> {
      const resting = [...held].filter(([, { usedAt }]) => now() - usedAt >= restMs)
      for (const [name] of resting) held.delete(name)
      for (const [name, slice] of resting) if (name.endsWith('month')) await giveBack(slice)
    },
  }
}
export type Budgets = ReturnType<typeof openBudgets>
