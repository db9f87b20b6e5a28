import { roundProduct, roundRatio, toSafeInteger } from '../numbers/exact-numbers.ts'

/** Watt-hours at a price in 1/10 000 € per kWh, in cents. */
export const computeEnergyCents = (wh: number, price: number): number => roundProduct([wh, price], 100_000)

/** Watt-hours at a rate of accise in cents per MWh, in cents. */
export const computeAcciseCents = (wh: number, centsPerMwh: number): number =>
  roundProduct([wh, centsPerMwh], 1_000_000)

/** A share in 1/100 % of an amount. */
export const applyBasisPoints = (cents: number, basisPoints: number): number =>
  roundProduct([cents, basisPoints], 10_000)

/** Energy in watt-minutes at a price in 1/10 000 € per kWh. */
export type PricedEnergy = { readonly wattMinutes: number; readonly price: number }

const sumWorth = (parts: readonly PricedEnergy[]): bigint =>
  parts.reduce((sum, { wattMinutes, price }) => sum + BigInt(wattMinutes) * BigInt(price), 0n)

/** The total value of energies, each at its own price, in cents: rounded once. */
export const computeValueCents = (parts: readonly PricedEnergy[]): number =>
  toSafeInteger(roundRatio({ num: sumWorth(parts), den: 6_000_000n }))

/** The single price that gives the same value; null without energy. */
export function computeMeanPrice(parts: readonly PricedEnergy[]): number | null {
  const energy = parts.reduce((sum, { wattMinutes }) => sum + BigInt(wattMinutes), 0n)
  return energy > 0n ? toSafeInteger(roundRatio({ num: sumWorth(parts), den: energy })) : null
}

/** The cost of the local energy at another price, less its value at its own. */
export const computeSavedCents = (wattMinutes: number, otherPrice: number, valueCents: number): number =>
  toSafeInteger(roundRatio({ num: sumWorth([{ wattMinutes, price: otherPrice }]), den: 6_000_000n })) - valueCents
