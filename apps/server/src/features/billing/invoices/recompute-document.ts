import type { InvoiceSnapshot, SnapshotLine } from '@voisol/contract/invoice-snapshot'
import type { RecomputedPart } from '@voisol/contract/invoice-views'
import { formatPeriod } from '@voisol/documents/number-and-date-formats'
import {
  addRatios,
  compareRatios,
  floorRatio,
  formatRatio,
  multiplyRatios,
  parseRatio,
  reduceRatio,
  toRatio,
} from '@voisol/money/exact-numbers'
import { type ExplanationStep, explainAllowance, explainLine, explainVat } from '@voisol/money/explain'
import { computeIndexedPrice } from '@voisol/money/pricing-rules'

type Snapshot = InvoiceSnapshot
type BilledLine = Exclude<SnapshotLine, { kind: 'service' }>

/** Whether a share by largest remainder is less than one unit away from its exact value. */
function isWithinOneUnit({ exact, result }: ExplanationStep): boolean {
  const [value, one] = [parseRatio(exact), toRatio(1n, 1)]
  const whole = toRatio(BigInt(result), 1)
  return compareRatios(value, addRatios(whole, one)) < 0 && compareRatios(whole, addRatios(value, one)) < 0
}

/** Recomputes the price from P0 and the index, with its floor and cap. */
function isSamePrice(line: BilledLine): boolean {
  if (line.kind !== 'energy') return true
  const { p0, index } = line.trace
  if (!index) return line.price === p0
  const { value, base, fixedBp, floor, cap } = index
  const terms = {
    base,
    ...(fixedBp !== undefined && { fixedBp }),
    ...(floor !== undefined && { floor }),
    ...(cap !== undefined && { cap }),
  }
  return line.price === computeIndexedPrice(p0, value, terms)
}

/** Running totals of a fee; a correction prints cancelled ones with the opposite sign. */
function sumFeeSteps(steps: ExplanationStep[]): number {
  const sign = ({ formula }: ExplanationStep) => (formula === 'feeUpTo' ? 1 : formula === 'feeBefore' ? -1 : 0)
  return steps.reduce((sum, step) => sum + sign(step) * step.result, 0)
}

function isSameLine(line: BilledLine, steps: ExplanationStep[]): boolean {
  const last = steps.at(-1)?.result
  if (line.kind === 'fee') return (line.role ? Math.abs(line.net) : line.net) === sumFeeSteps(steps)
  return (
    last === line.net && isSamePrice(line) && steps.every((step) => step.formula !== 'units' || isWithinOneUnit(step))
  )
}

/** The fields of a snapshot line are those of the billing rules, with printed labels beside them. */
const getLineSteps = (line: BilledLine): ExplanationStep[] => explainLine(line as Parameters<typeof explainLine>[0])

/** « 12,345 » or « -1 » as an exact fraction. */
function parseDecimal(text: string) {
  const [whole = '0', decimals = ''] = text.replace(',', '.').split('.')
  return toRatio(BigInt(`${whole}${decimals}`), 10 ** decimals.length)
}

const HALF = toRatio(1n, 2)
/** Rounds half away from zero, as all amounts are. */
const roundHalfAwayFromZero = (value: ReturnType<typeof toRatio>): number =>
  value.num < 0n
    ? -Number(floorRatio(addRatios(multiplyRatios(value, toRatio(-1n)), HALF)))
    : Number(floorRatio(addRatios(value, HALF)))

/** A quantity at a price, both as printed on the line. */
function recomputeService({ quantity, price, net }: Extract<SnapshotLine, { kind: 'service' }>) {
  const cents = multiplyRatios(multiplyRatios(parseDecimal(quantity), parseDecimal(price)), toRatio(100n, 1))
  const result = roundHalfAwayFromZero(cents)
  const exact = formatRatio(reduceRatio(cents))
  return { steps: [{ formula: 'service', inputs: { quantity, price }, exact, result }], same: result === net }
}

function recomputeLine(line: SnapshotLine): RecomputedPart {
  const about = { part: 'line' as const, label: `${line.label}, ${formatPeriod(line)}`, printed: line.net }
  if (line.kind === 'service') return { ...about, ...recomputeService(line) }
  const steps = getLineSteps(line)
  return { ...about, steps: steps.map(toPlainStep), same: isSameLine(line, steps) }
}

type SnapshotAllowance = Snapshot['allowances'][number]
type AllowanceWithDifference = SnapshotAllowance & { difference: NonNullable<SnapshotAllowance['difference']> }

/** The allowances of the months now minus those before; a credit note prints the difference with the opposite sign. */
function recomputeDifference(
  { difference: { before, now }, ...allowance }: AllowanceWithDifference,
  credit: boolean,
): RecomputedPart {
  const { id, label, amount, category, rate } = allowance
  const parts = now.map((one) => ({ one, steps: explainAllowance({ id, amount: 0, category, rate, ...one }) }))
  const sound = parts.every(({ one, steps }) => one.percentBp === null || steps[0]?.result === one.asked)
  const after = sum(parts.map(({ steps }) => steps.at(-1)?.result ?? 0))
  const result = credit ? before - after : after - before
  const last = { formula: 'difference', inputs: { after, before }, exact: `${result}`, result }
  const steps = [...parts.flatMap((part) => part.steps.map(toPlainStep)), last]
  return { part: 'allowance', label, printed: amount, steps, same: sound && result === amount }
}

const hasDifference = (allowance: SnapshotAllowance): allowance is AllowanceWithDifference =>
  allowance.difference !== undefined

function recomputeAllowance(allowance: SnapshotAllowance, credit: boolean): RecomputedPart {
  if (hasDifference(allowance)) return recomputeDifference(allowance, credit)
  const { id, label, amount, category, rate, base, left, percentBp = null, asked } = allowance
  const about = { part: 'allowance' as const, label, printed: amount }
  if (base === undefined || left === undefined || asked === undefined) return { ...about, steps: [], same: null }
  const steps = explainAllowance({ id, amount, category, rate, base, left, percentBp, asked })
  const same = steps.at(-1)?.result === amount && (percentBp === null || steps[0]?.result === asked)
  return { ...about, steps: steps.map(toPlainStep), same }
}

/** On a correction the tax is today's tax minus the printed one, so it may differ by a cent from rate × base. */
function recomputeVat(group: Snapshot['vat'][number], byDifference: boolean): RecomputedPart {
  const steps = explainVat(group)
  const off = Math.abs((steps.at(-1)?.result ?? 0) - group.tax)
  const label = group.category === 'S' ? 'TVA' : 'Sans TVA'
  return { part: 'vat', label, printed: group.tax, steps: steps.map(toPlainStep), same: off <= (byDifference ? 1 : 0) }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const toPlainStep = ({ formula, inputs, exact, result }: ExplanationStep) => ({
  formula,
  inputs: { ...inputs },
  exact,
  result,
})

function recomputeTotals({ lines, allowances, vat, totals }: Snapshot): RecomputedPart[] {
  const expected: [string, number, number][] = [
    ['Somme des lignes', sum(lines.map(({ net }) => net)), totals.lines],
    ['Somme des remises', sum(allowances.map(({ amount }) => amount)), totals.allowances],
    ['Total hors taxes', sum(vat.map(({ base }) => base)), totals.net],
    ['Total des taxes', sum(vat.map(({ tax }) => tax)), totals.tax],
    ['Total à payer', totals.net + totals.tax, totals.gross],
  ]
  const net = totals.lines - totals.allowances === totals.net
  return expected.map(([label, result, printed]) => ({
    part: 'total',
    label,
    printed,
    steps: [{ formula: 'sum', inputs: {}, exact: `${result}`, result }],
    same: result === printed && (label !== 'Total hors taxes' || net),
  }))
}

/** Recomputes every figure of a document from its snapshot alone. */
export function recomputeSnapshot(snapshot: Snapshot): { same: boolean; parts: RecomputedPart[] } {
  const byDifference = snapshot.corrects !== null
  const parts = [
    ...snapshot.lines.map(recomputeLine),
    ...snapshot.allowances.map((one) => recomputeAllowance(one, snapshot.kind === 'creditNote')),
    ...snapshot.vat.map((group) => recomputeVat(group, byDifference)),
    ...recomputeTotals(snapshot),
  ]
  return { same: parts.every(({ same }) => same !== false), parts }
}
