import type { InvoiceSnapshot, SnapshotLine } from '@voisol/contract/invoice-snapshot'
import type { RecomputedPart } from '@voisol/contract/invoice-views'
import { explainAllowance, explainLine, explainVat, type Step } from '@voisol/money/explain'
import { indexedPrice } from '@voisol/money/index-price'
import { compare, floor, plus, ratio, readRatio, reduce, times, writeRatio } from '@voisol/money/ratio'
import { spanWords } from '../../../papers/words.ts'

type Snapshot = InvoiceSnapshot
type BilledLine = Exclude<SnapshotLine, { kind: 'service' }>

/** Largest remainder gives a share less than one unit away from its exact value. */
function nearUnits({ exact, result }: Step): boolean {
  const [value, one] = [readRatio(exact), ratio(1n, 1)]
  const whole = ratio(BigInt(result), 1)
  return compare(value, plus(whole, one)) < 0 && compare(whole, plus(value, one)) < 0
}

/** The price is found again from P0 and the index, its floor and its cap. */
function samePrice(line: BilledLine): boolean {
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
  return line.price === indexedPrice(p0, value, terms)
}

/** The running totals of a fee; on a correction what is taken back is printed with the other sign. */
function feeOf(steps: Step[]): number {
  const sign = ({ formula }: Step) => (formula === 'feeUpTo' ? 1 : formula === 'feeBefore' ? -1 : 0)
  return steps.reduce((sum, step) => sum + sign(step) * step.result, 0)
}

function sameLine(line: BilledLine, steps: Step[]): boolean {
  const last = steps.at(-1)?.result
  if (line.kind === 'fee') return (line.role ? Math.abs(line.net) : line.net) === feeOf(steps)
  return last === line.net && samePrice(line) && steps.every((step) => step.formula !== 'units' || nearUnits(step))
}

/** The fields of a line of the document are those of the rules, and its words beside them. */
const stepsOf = (line: BilledLine): Step[] => explainLine(line as Parameters<typeof explainLine>[0])

/** « 12,345 » or « -1 » as an exact fraction. */
function decimalOf(text: string) {
  const [whole = '0', decimals = ''] = text.replace(',', '.').split('.')
  return ratio(BigInt(`${whole}${decimals}`), 10 ** decimals.length)
}

const HALF = ratio(1n, 2)
/** Half away from zero, as everywhere. */
const rounded = (value: ReturnType<typeof ratio>): number =>
  value.num < 0n ? -Number(floor(plus(times(value, ratio(-1n)), HALF))) : Number(floor(plus(value, HALF)))

/** A quantity at a price: both stand on the line as they are printed. */
function servicePart({ quantity, price, net }: Extract<SnapshotLine, { kind: 'service' }>) {
  const cents = times(times(decimalOf(quantity), decimalOf(price)), ratio(100n, 1))
  const result = rounded(cents)
  const exact = writeRatio(reduce(cents))
  return { steps: [{ formula: 'service', inputs: { quantity, price }, exact, result }], same: result === net }
}

function linePart(line: SnapshotLine): RecomputedPart {
  const about = { part: 'line' as const, label: `${line.label}, ${spanWords(line)}`, printed: line.net }
  if (line.kind === 'service') return { ...about, ...servicePart(line) }
  const steps = stepsOf(line)
  return { ...about, steps: steps.map(plain), same: sameLine(line, steps) }
}

type SnapshotAllowance = Snapshot['allowances'][number]
type Differing = SnapshotAllowance & { difference: NonNullable<SnapshotAllowance['difference']> }

/** What the allowances of the months are now, less what stood before: an avoir prints it with the other sign. */
function differencePart({ difference: { before, now }, ...allowance }: Differing, credit: boolean): RecomputedPart {
  const { id, label, amount, category, rate } = allowance
  const parts = now.map((one) => ({ one, steps: explainAllowance({ id, amount: 0, category, rate, ...one }) }))
  const sound = parts.every(({ one, steps }) => one.percentBp === null || steps[0]?.result === one.asked)
  const after = sum(parts.map(({ steps }) => steps.at(-1)?.result ?? 0))
  const result = credit ? before - after : after - before
  const last = { formula: 'difference', inputs: { after, before }, exact: `${result}`, result }
  const steps = [...parts.flatMap((part) => part.steps.map(plain)), last]
  return { part: 'allowance', label, printed: amount, steps, same: sound && result === amount }
}

const isDiffering = (allowance: SnapshotAllowance): allowance is Differing => allowance.difference !== undefined

function allowancePart(allowance: SnapshotAllowance, credit: boolean): RecomputedPart {
  if (isDiffering(allowance)) return differencePart(allowance, credit)
  const { id, label, amount, category, rate, base, left, percentBp = null, asked } = allowance
  const about = { part: 'allowance' as const, label, printed: amount }
  if (base === undefined || left === undefined || asked === undefined) return { ...about, steps: [], same: null }
  const steps = explainAllowance({ id, amount, category, rate, base, left, percentBp, asked })
  const same = steps.at(-1)?.result === amount && (percentBp === null || steps[0]?.result === asked)
  return { ...about, steps: steps.map(plain), same }
}

/** On a correction the tax is what is due today less what was printed before: it may be a cent beside rate × base. */
function vatPart(group: Snapshot['vat'][number], byDifference: boolean): RecomputedPart {
  const steps = explainVat(group)
  const off = Math.abs((steps.at(-1)?.result ?? 0) - group.tax)
  const label = group.category === 'S' ? 'TVA' : 'Sans TVA'
  return { part: 'vat', label, printed: group.tax, steps: steps.map(plain), same: off <= (byDifference ? 1 : 0) }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const plain = ({ formula, inputs, exact, result }: Step) => ({ formula, inputs: { ...inputs }, exact, result })

function totalParts({ lines, allowances, vat, totals }: Snapshot): RecomputedPart[] {
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

/** Every figure of a document found again from what it was made of; nothing but its snapshot is read. */
export function recomputeSnapshot(snapshot: Snapshot): { same: boolean; parts: RecomputedPart[] } {
  const byDifference = snapshot.corrects !== null
  const parts = [
    ...snapshot.lines.map(linePart),
    ...snapshot.allowances.map((one) => allowancePart(one, snapshot.kind === 'creditNote')),
    ...snapshot.vat.map((group) => vatPart(group, byDifference)),
    ...totalParts(snapshot),
  ]
  return { same: parts.every(({ same }) => same !== false), parts }
}
