import type { AcciseLine, Allowance, DocumentLine, EnergyLine, FeeLine, VatGroup } from '../documents/document-lines.ts'
import { formatRatio, parseRatio, type Ratio, roundRatio, toRatio, toSafeInteger } from '../numbers/exact-numbers.ts'
import { computeFeeParts } from '../tariff/fees.ts'
import { computeExactIndexedPrice } from '../tariff/pricing-rules.ts'

/** One step of a calculation: its inputs, the exact value, and the rounded result. */
export type ExplanationStep = {
  /** The formula of the billing rules; the screen renders it in French. */
  readonly formula:
    | 'units'
    | 'indexedPrice'
    | 'energy'
    | 'accise'
    | 'feeUpTo'
    | 'feeBefore'
    | 'fee'
    | 'percent'
    | 'fixed'
    | 'capped'
    | 'vat'
  readonly inputs: Readonly<Record<string, number | string | null>>
  /** Before any rounding: '617/50'. */
  readonly exact: string
  readonly result: number
}

const toRoundedStep = (
  formula: ExplanationStep['formula'],
  inputs: ExplanationStep['inputs'],
  value: Ratio,
): ExplanationStep => ({
  formula,
  inputs,
  exact: formatRatio(value),
  result: toSafeInteger(roundRatio(value)),
})
const computeProduct = (a: number, b: number, divisor: number): Ratio => toRatio(BigInt(a) * BigInt(b), divisor)

function explainEnergy({ wattMinutes, units, wh, price, trace: { p0, index } }: EnergyLine): ExplanationStep[] {
  // A reversed line is printed with a negative quantity.
  const resolutionWh = Math.abs(wh) / units
  const energy = parseRatio(wattMinutes)
  const share = toRatio(energy.num, energy.den * 60n * BigInt(resolutionWh))
  const indexed = index
    ? [
        {
          ...toRoundedStep(
            'indexedPrice',
            {
              p0,
              index: index.value,
              base: index.base,
              fixedBp: index.fixedBp ?? 0,
              floor: index.floor ?? null,
              cap: index.cap ?? null,
            },
            computeExactIndexedPrice(p0, index.value, index),
          ),
          result: price,
        },
      ]
    : []
  return [
    // Units come from the largest remainder: the exact share is less than one away, on either side.
    { formula: 'units', inputs: { wattMinutes, resolutionWh }, exact: formatRatio(share), result: units },
    ...indexed,
    toRoundedStep('energy', { wh, price }, computeProduct(wh, price, 100_000)),
  ]
}

const explainAccise = ({ wh, centsPerMwh, acciseClass }: AcciseLine): ExplanationStep[] => [
  toRoundedStep('accise', { wh, centsPerMwh, acciseClass }, computeProduct(wh, centsPerMwh, 1_000_000)),
]

/** The running total at the end of the period less that at its start, in each calendar period. */
function explainFee({ amount, every, kva, active, from, to, net }: FeeLine): ExplanationStep[] {
  const parts = computeFeeParts({ amount, every }, active, { from, to })
  const totals = parts.flatMap(({ period, days, before, upTo }) => {
    const shared = { amount, kva, from: period.from, to: period.to, periodDays: days }
    return [
      toRoundedStep('feeUpTo', { ...shared, days: upTo }, computeProduct(amount, upTo, days)),
      toRoundedStep('feeBefore', { ...shared, days: before }, computeProduct(amount, before, days)),
    ]
  })
  return [...totals, { formula: 'fee', inputs: { periods: parts.length }, exact: `${net}`, result: net }]
}

/** The calculation of a line, step by step; the last result is the amount. */
export function explainLine(line: DocumentLine): ExplanationStep[] {
  if (line.kind === 'energy') return explainEnergy(line)
  return line.kind === 'accise' ? explainAccise(line) : explainFee(line)
}

export function explainAllowance({ percentBp, asked, base, left, amount }: Allowance): ExplanationStep[] {
  const first: ExplanationStep =
    percentBp === null
      ? { formula: 'fixed', inputs: { base }, exact: `${asked}`, result: asked }
      : toRoundedStep('percent', { base, percentBp }, computeProduct(base, percentBp, 10_000))
  return [first, { formula: 'capped', inputs: { asked, left }, exact: `${amount}`, result: Math.min(asked, left) }]
}

export const explainVat = ({ base, rate }: VatGroup): ExplanationStep[] => [
  toRoundedStep('vat', { base, rate }, computeProduct(base, rate, 10_000)),
]
