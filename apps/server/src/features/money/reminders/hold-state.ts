import type { Hold } from '@voisol/contract/reminders'
import { z } from 'zod'
import { formatEuros } from '../../../papers/decimals.ts'
import { formatLongDay } from '../../../papers/words.ts'
import type { PairAccount } from '../invoices/invoices.ts'
import type { HoldRow } from './facts.ts'

const ScheduleParts = z.array(z.object({ on: z.string(), amount: z.int() }))

/** Payments received since a day, minus those reversed. */
export function sumPaidSince({ entries, matches }: PairAccount, day: string): number {
  const reversed = new Set<string>()
  const backs = new Set(entries.filter(({ kind }) => kind === 'return' || kind === 'undo').map(({ id }) => id))
  for (const { debit, credit } of matches) if (backs.has(debit)) reversed.add(credit)
  return entries
    .filter(({ id, kind, bookedOn }) => kind === 'receipt' && bookedOn >= day && !reversed.has(id))
    .reduce((sum, { amount }) => sum + amount, 0)
}

/**
 * The parts of a payment schedule: one is kept when everything due up to it was received, and broken when its day
 * passed without.
 */
export function getScheduleParts(row: Pick<HoldRow, 'parts'>, paid: number, today: string): Hold['parts'] {
  let expectedSoFar = 0
  return ScheduleParts.parse(row.parts).map((part) => {
    expectedSoFar += part.amount
    return { ...part, state: expectedSoFar <= paid ? 'kept' : part.on < today ? 'broken' : 'coming' }
  })
}

/** Why a hold stops reminders today; empty when it does not. */
export function getStopReason(row: HoldRow, paid: number, today: string): string {
  if (row.closedOn !== null) return ''
  if (row.kind === 'dispute') return `Litige ouvert le ${formatLongDay(row.startsOn)}\u00a0: ${row.reason}`
  if (row.kind === 'promise')
    return row.until !== null && row.until >= today ? `Paiement promis pour le ${formatLongDay(row.until)}.` : ''
  const parts = getScheduleParts(row, paid, today)
  const next = parts.find(({ state }) => state === 'coming')
  if (parts.some(({ state }) => state === 'broken') || !next) return ''
  return `Échéancier tenu\u00a0: ${formatEuros(next.amount)} attendus le ${formatLongDay(next.on)}.`
}
