import type { Hold } from '@voisol/contract/reminders'
import { z } from 'zod'
import { euros } from '../../../papers/decimals.ts'
import { longDay } from '../../../papers/words.ts'
import type { PairAccount } from '../invoices/invoices.ts'
import type { HoldRow } from './facts.ts'

const Parts = z.array(z.object({ on: z.string(), amount: z.int() }))

/** What came in since a day, less what was taken back. */
export function paidSince({ entries, matches }: PairAccount, day: string): number {
  const reversed = new Set<string>()
  const backs = new Set(entries.filter(({ kind }) => kind === 'return' || kind === 'undo').map(({ id }) => id))
  for (const { debit, credit } of matches) if (backs.has(debit)) reversed.add(credit)
  return entries
    .filter(({ id, kind, bookedOn }) => kind === 'receipt' && bookedOn >= day && !reversed.has(id))
    .reduce((sum, { amount }) => sum + amount, 0)
}

/** The parts of a schedule: one is kept where all that was due until it came in, broken where its day is over without. */
export function partsOf(row: Pick<HoldRow, 'parts'>, paid: number, today: string): Hold['parts'] {
  let asked = 0
  return Parts.parse(row.parts).map((part) => {
    asked += part.amount
    return { ...part, state: asked <= paid ? 'kept' : part.on < today ? 'broken' : 'coming' }
  })
}

/** Whether it stops reminders today, and in which words; empty where it does not. */
export function stopOf(row: HoldRow, paid: number, today: string): string {
  if (row.closedOn !== null) return ''
  if (row.kind === 'dispute') return `Litige ouvert le ${longDay(row.startsOn)}\u00a0: ${row.reason}`
  if (row.kind === 'promise')
    return row.until !== null && row.until >= today ? `Paiement promis pour le ${longDay(row.until)}.` : ''
  const parts = partsOf(row, paid, today)
  const next = parts.find(({ state }) => state === 'coming')
  if (parts.some(({ state }) => state === 'broken') || !next) return ''
  return `Échéancier tenu\u00a0: ${euros(next.amount)} attendus le ${longDay(next.on)}.`
}
