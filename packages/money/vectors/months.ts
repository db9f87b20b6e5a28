import { daysBetween, getMonthPeriod } from '../src/calendar/days.ts'
import type { Correction, RectificationResult } from '../src/corrections/rectify.ts'
import { rectifyMonth } from '../src/corrections/rectify.ts'
import type { BillingDocument } from '../src/documents/document.ts'
import type { DocumentLine, VatRate } from '../src/documents/lines.ts'
import type { MonthInput } from '../src/month/input.ts'
import { type BilledMonth, computeMonthOutcome, type MonthOutcome } from '../src/month/month.ts'
import { recomputeMonth } from '../src/month/recompute.ts'

type Cell = { member: string; producer: string; class: string; day: string; wmin: number }
/** A month as the file of vectors has it: a cell for each day. */
export type MonthCase = Omit<MonthInput, 'cells' | 'distributor' | 'fees' | 'discounts' | 'accise'> &
  Partial<Pick<MonthInput, 'distributor' | 'fees' | 'discounts' | 'accise'>> & { cells?: Cell[] }
export type RectifyCase = { before: MonthCase; after: MonthCase; thresholdCents: number; flush?: boolean }

export function toMonthInput({ cells = [], ...rest }: MonthCase): MonthInput {
  const { from, to } = getMonthPeriod(rest.month)
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

const toVatFields = ({ category, rate }: VatRate) => ({ category, rate })

function toVectorLine(line: DocumentLine) {
  const { kind, prm, member, from, to, rule, liable, net } = line
  const wh = kind === 'fee' ? null : line.wh
  const price = kind === 'energy' ? line.price : null
  const accise = kind === 'accise' ? { centsPerMwh: line.centsPerMwh } : {}
  return { kind, prm, member, from, to, rule, liable, wh, price, net, ...accise, ...toVatFields(line) }
}

const toVectorDocument = ({ seller, buyer, document, lines, allowances, vat, totals }: BillingDocument) => ({
  seller,
  buyer,
  document,
  lines: lines.map(toVectorLine),
  allowances: allowances.map((each) => ({ id: each.id, amount: each.amount, ...toVatFields(each) })),
  vat,
  totals,
})

const toVectorMonth = ({ units, totalUnits, sources, documents }: BilledMonth) => ({
  members: Object.fromEntries(units),
  totalUnits,
  source: Object.fromEntries([...sources].map(([prm, source]) => [prm, source === 'distributor' ? source : 'ours'])),
  documents: documents.map(toVectorDocument),
})

const toRefusal = (outcome: MonthOutcome) => ({ refused: outcome.ok ? [] : outcome.issues })

export function runMonthCase(input: MonthCase) {
  const outcome = computeMonthOutcome(toMonthInput(input))
  return outcome.ok ? toVectorMonth(outcome.month) : toRefusal(outcome)
}

function toVectorCorrection(correction: RectificationResult['corrections'][number]) {
  const { seller, buyer, document, delta } = correction
  return 'lines' in correction ? toVectorSentCorrection(correction) : { seller, buyer, document, delta }
}

const toVectorSentCorrection = ({
  seller,
  buyer,
  document,
  typeCode,
  lines,
  allowances,
  vat,
  totals,
  delta,
}: Correction) => ({
  seller,
  buyer,
  document,
  typeCode,
  lines: lines.map((line) => ({ ...toVectorLine(line), role: line.role })),
  allowances,
  vat,
  totals,
  delta,
})

export function runRectifyCase({ before, after, thresholdCents, flush }: RectifyCase) {
  const input = toMonthInput(before)
  const first = computeMonthOutcome(input)
  if (!first.ok) return toRefusal(first)
  const second = recomputeMonth({ input, units: first.month.units }, toMonthInput(after))
  if (!second.ok) return toRefusal(second)
  const { documents: issued } = first.month
  const { corrections } = rectifyMonth({ issued, clean: second.month.documents, thresholdCents, flush: flush ?? false })
  return {
    before: toVectorMonth(first.month),
    after: toVectorMonth(second.month),
    corrections: corrections.map(toVectorCorrection),
  }
}
