import { daysBetween, monthPeriod } from '../src/calendar/days.ts'
import type { Correction, Rectified } from '../src/corrections/rectify.ts'
import { rectify } from '../src/corrections/rectify.ts'
import type { Document } from '../src/documents/document.ts'
import type { Line, Vat } from '../src/documents/lines.ts'
import type { MonthInput } from '../src/month/input.ts'
import { type BilledMonth, closeMonth, type MonthOutcome } from '../src/month/month.ts'
import { recomputeMonth } from '../src/month/recompute.ts'

type Cell = { member: string; producer: string; class: string; day: string; wmin: number }
/** A month as the file of vectors has it: a cell for each day. */
export type MonthCase = Omit<MonthInput, 'cells' | 'distributor' | 'fees' | 'discounts' | 'accise'> &
  Partial<Pick<MonthInput, 'distributor' | 'fees' | 'discounts' | 'accise'>> & { cells?: Cell[] }
export type RectifyCase = { before: MonthCase; after: MonthCase; thresholdCents: number; flush?: boolean }

export function readMonth({ cells = [], ...rest }: MonthCase): MonthInput {
  const { from, to } = monthPeriod(rest.month)
  const length = daysBetween(from, to)
  const rows = Map.groupBy(cells, (cell) => JSON.stringify([cell.member, cell.producer, cell.class]))
  const gathered = [...rows.values()].flatMap((row) => {
    const [first] = row
    if (!first) return []
    const wattMinutes = new Float64Array(length)
    for (const { day, wmin } of row) {
      const at = daysBetween(from, day)
      if (at >= 0 && at < length) wattMinutes[at] = (wattMinutes[at] ?? 0) + wmin
    }
    return [{ member: first.member, producer: first.producer, class: first.class, wattMinutes }]
  })
  const { distributor = [], fees = [], discounts = [], accise = [] } = rest
  return { ...rest, distributor, fees, discounts, accise, cells: gathered }
}

const shown = ({ category, rate }: Vat) => ({ category, rate })

function writeLine(line: Line) {
  const { kind, prm, member, from, to, rule, liable, net } = line
  const wh = kind === 'fee' ? null : line.wh
  const price = kind === 'energy' ? line.price : null
  const accise = kind === 'accise' ? { centsPerMwh: line.centsPerMwh } : {}
  return { kind, prm, member, from, to, rule, liable, wh, price, net, ...accise, ...shown(line) }
}

const writeDocument = ({ seller, buyer, document, lines, allowances, vat, totals }: Document) => ({
  seller,
  buyer,
  document,
  lines: lines.map(writeLine),
  allowances: allowances.map((each) => ({ id: each.id, amount: each.amount, ...shown(each) })),
  vat,
  totals,
})

const writeMonth = ({ units, totalUnits, sources, documents }: BilledMonth) => ({
  members: Object.fromEntries(units),
  totalUnits,
  source: Object.fromEntries([...sources].map(([prm, source]) => [prm, source === 'distributor' ? source : 'ours'])),
  documents: documents.map(writeDocument),
})

const refused = (outcome: MonthOutcome) => ({ refused: outcome.ok ? [] : outcome.issues })

export function runMonth(input: MonthCase) {
  const outcome = closeMonth(readMonth(input))
  return outcome.ok ? writeMonth(outcome.month) : refused(outcome)
}

function writeCorrection(correction: Rectified['corrections'][number]) {
  const { seller, buyer, document, delta } = correction
  return 'lines' in correction ? writeSent(correction) : { seller, buyer, document, delta }
}

const writeSent = ({ seller, buyer, document, typeCode, lines, allowances, vat, totals, delta }: Correction) => ({
  seller,
  buyer,
  document,
  typeCode,
  lines: lines.map((line) => ({ ...writeLine(line), role: line.role })),
  allowances,
  vat,
  totals,
  delta,
})

export function runRectify({ before, after, thresholdCents, flush }: RectifyCase) {
  const input = readMonth(before)
  const first = closeMonth(input)
  if (!first.ok) return refused(first)
  const second = recomputeMonth({ input, units: first.month.units }, readMonth(after))
  if (!second.ok) return refused(second)
  const { documents: issued } = first.month
  const { corrections } = rectify({ issued, clean: second.month.documents, thresholdCents, flush: flush ?? false })
  return {
    before: writeMonth(first.month),
    after: writeMonth(second.month),
    corrections: corrections.map(writeCorrection),
  }
}
