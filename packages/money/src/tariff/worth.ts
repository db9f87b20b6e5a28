import { roundRatio, toSafeInteger } from '../numbers/round.ts'

/** Energy in watt-minutes at a price in 1/10 000 € per kWh. */
export type PricedEnergy = { readonly wattMinutes: number; readonly price: number }

const sumWorth = (parts: readonly PricedEnergy[]): bigint =>
  parts.reduce((sum, { wattMinutes, price }) => sum + BigInt(wattMinutes) * BigInt(price), 0n)

/** What energies are worth together, each at its own price, in cents: one rounding for all of them. */
export const computeValueCents = (parts: readonly PricedEnergy[]): number =>
  toSafeInteger(roundRatio({ num: sumWorth(parts), den: 6_000_000n }))

/** The price at which the same energy would be worth as much; null where there is none. */
export function computeMeanPrice(parts: readonly PricedEnergy[]): number | null {
  const energy = parts.reduce((sum, { wattMinutes }) => sum + BigInt(wattMinutes), 0n)
  return energy > 0n ? toSafeInteger(roundRatio({ num: sumWorth(parts), den: energy })) : null
}

/** What the local energy would have cost at another price, less what it is worth at its own. */
export const computeSavedCents = (wattMinutes: number, otherPrice: number, valueCents: number): number =>
  toSafeInteger(roundRatio({ num: sumWorth([{ wattMinutes, price: otherPrice }]), den: 6_000_000n })) - valueCents
