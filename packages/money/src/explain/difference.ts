import { multiplyRatios, type Ratio, roundRatio, toRatio, toSafeInteger } from '../numbers/exact-numbers.ts'

/** The figures behind a document of a month, for one seller and one buyer. Energies in any one unit. */
export type DocumentFacts = {
  /** Days on which the buyer was a member, summed over its meters; and days of the month. */
  readonly days: number
  readonly monthDays: number
  /** What the seller's producers shared, and what the buyer and all members consumed. */
  readonly shared: number
  readonly used: number
  readonly allUsed: number
  /** The energy billed, its cents, and all other cents of the document (fees, accise, allowances). */
  readonly wh: number
  readonly energyNet: number
  readonly otherNet: number
}
/** Cents before tax that each cause explains; together they are the difference. */
export type AmountDifference = { days: number; sun: number; use: number; key: number; price: number; other: number }

const NO_FACTS: DocumentFacts = {
  days: 0,
  monthDays: 1,
  shared: 0,
  used: 0,
  allUsed: 0,
  wh: 0,
  energyNet: 0,
  otherNet: 0,
}

type Factor = { name: 'days' | 'sun' | 'use' | 'key' | 'price'; of: (facts: DocumentFacts) => Ratio }
/** From a month near zero a factor may grow a billionfold: it then takes the whole difference. */
const MAX_MOVED_CENTS = 1_000_000_000_000n
const divide = (num: number, den: number): Ratio => (den === 0 ? toRatio(0) : toRatio(num, den))

/**
 * Energy cents are days × sun × use × key × price: days of membership; energy shared per day; the buyer's part of all
 * consumption, per day; what the key gave for that part; cents per unit of it. The product is the amount, whatever the
 * month.
 */
const FACTORS: readonly Factor[] = [
  { name: 'days', of: ({ days }) => toRatio(days) },
  { name: 'sun', of: ({ shared, monthDays }) => divide(shared, monthDays) },
  {
    name: 'use',
    of: ({ used, allUsed, days, monthDays }) =>
      days === 0 || allUsed === 0
        ? toRatio(0)
        : toRatio(BigInt(used) * BigInt(monthDays), BigInt(days) * BigInt(allUsed)),
  },
  {
    name: 'key',
    of: ({ wh, shared, used, allUsed }) =>
      shared === 0 || used === 0 ? toRatio(0) : toRatio(BigInt(wh) * BigInt(allUsed), BigInt(shared) * BigInt(used)),
  },
  { name: 'price', of: ({ energyNet, wh }) => divide(energyNet, wh) },
]

/**
 * Why a month differs from the one before: factors are replaced one after the other, always in this order, and each
 * explains how much the rounded amount moved. A factor that is zero in either month, or out of bounds, takes all that
 * is left.
 */
export function explainDifference(before: DocumentFacts = NO_FACTS, now: DocumentFacts = NO_FACTS): AmountDifference {
  const parts: AmountDifference = { days: 0, sun: 0, use: 0, key: 0, price: 0, other: now.otherNet - before.otherNet }
  let value = toRatio(before.energyNet)
  let told = before.energyNet
  for (const { name, of } of FACTORS) {
    const [old, fresh] = [of(before), of(now)]
    const known = name !== 'price' && old.num !== 0n && fresh.num !== 0n
    if (known) value = multiplyRatios(value, { num: fresh.num * old.den, den: fresh.den * old.num })
    const moved = roundRatio(value)
    const last = !known || moved > MAX_MOVED_CENTS || moved < -MAX_MOVED_CENTS
    const amount = last ? now.energyNet : toSafeInteger(moved)
    parts[name] = amount - told
    told = amount
    if (last) break
  }
  return parts
}
