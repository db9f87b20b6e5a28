import { roundProduct } from '../numbers/round.ts'

/** Watt-hours at a price in 1/10 000 € per kWh, in cents. */
export const computeEnergyCents = (wh: number, price: number): number => roundProduct([wh, price], 100_000)

/** Watt-hours at a rate of accise in cents per MWh, in cents. */
export const computeAcciseCents = (wh: number, centsPerMwh: number): number =>
  roundProduct([wh, centsPerMwh], 1_000_000)

/** A share in 1/100 % of an amount. */
export const applyBasisPoints = (cents: number, basisPoints: number): number =>
  roundProduct([cents, basisPoints], 10_000)
