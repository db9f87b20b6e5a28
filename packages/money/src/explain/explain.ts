import type { Allowance } from '../documents/allowances.ts'
import type { AcciseLine, EnergyLine, FeeLine, Line } from '../documents/lines.ts'
import type { VatGroup } from '../documents/vat.ts'
import { type Ratio, ratio, readRatio, writeRatio } from '../numbers/ratio.ts'
import { round, toInteger } from '../numbers/round.ts'
import { feeParts } from '../tariff/fees.ts'
import { exactIndexed } from '../tariff/index-price.ts'

/** One operation on the way to an amount: what went in, the exact value, and what it became. */
export type Step = {
  /** Which formula of the rules; the screen writes it in French. */
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

const rounded = (formula: Step['formula'], inputs: Step['inputs'], value: Ratio): Step => ({
  formula,
  inputs,
  exact: writeRatio(value),
  result: toInteger(round(value)),
})
const product = (a: number, b: number, divisor: number): Ratio => ratio(BigInt(a) * BigInt(b), divisor)

function energySteps({ wattMinutes, units, wh, price, trace: { p0, index } }: EnergyLine): Step[] {
  // A line that is taken back is printed below zero.
  const resolutionWh = Math.abs(wh) / units
  const energy = readRatio(wattMinutes)
  const share = ratio(energy.num, energy.den * 60n * BigInt(resolutionWh))
  const indexed = index
    ? [
        {
          ...rounded(
            'indexedPrice',
            {
              p0,
              index: index.value,
              base: index.base,
              fixedBp: index.fixedBp ?? 0,
              floor: index.floor ?? null,
              cap: index.cap ?? null,
            },
            exactIndexed(p0, index.value, index),
          ),
          result: price,
        },
      ]
    : []
  return [
    // Largest remainder gave the units: the exact share is less than one away, on either side.
    { formula: 'units', inputs: { wattMinutes, resolutionWh }, exact: writeRatio(share), result: units },
    ...indexed,
    rounded('energy', { wh, price }, product(wh, price, 100_000)),
  ]
}

const acciseSteps = ({ wh, centsPerMwh, acciseClass }: AcciseLine): Step[] => [
  rounded('accise', { wh, centsPerMwh, acciseClass }, product(wh, centsPerMwh, 1_000_000)),
]

/** The running total at the end of the span less that at its start, in each calendar period. */
function feeSteps({ amount, every, kva, active, from, to, net }: FeeLine): Step[] {
  const parts = feeParts({ amount, every }, active, { from, to })
  const totals = parts.flatMap(({ period, days, before, upTo }) => {
    const shared = { amount, kva, from: period.from, to: period.to, periodDays: days }
    return [
      rounded('feeUpTo', { ...shared, days: upTo }, product(amount, upTo, days)),
      rounded('feeBefore', { ...shared, days: before }, product(amount, before, days)),
    ]
  })
  return [...totals, { formula: 'fee', inputs: { periods: parts.length }, exact: `${net}`, result: net }]
}

/** How a line came to its amount, step by step; the last one is the amount. */
export function explainLine(line: Line): Step[] {
  if (line.kind === 'energy') return energySteps(line)
  return line.kind === 'accise' ? acciseSteps(line) : feeSteps(line)
}

export function explainAllowance({ percentBp, asked, base, left, amount }: Allowance): Step[] {
  const first: Step =
    percentBp === null
      ? { formula: 'fixed', inputs: { base }, exact: `${asked}`, result: asked }
      : rounded('percent', { base, percentBp }, product(base, percentBp, 10_000))
  return [first, { formula: 'capped', inputs: { asked, left }, exact: `${amount}`, result: Math.min(asked, left) }]
}

export const explainVat = ({ base, rate }: VatGroup): Step[] => [
  rounded('vat', { base, rate }, product(base, rate, 10_000)),
]
