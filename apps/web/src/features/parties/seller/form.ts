import { type FeePart, type Seller, SellerUpdate } from '@voisol/contract/sellers'
import { z } from 'zod'
import type { useSchemaForm } from '../../../lib/form.ts'
import { priceText, typedPrice } from '../../../lib/price.ts'
import { numberText, typedNumber } from '../../../lib/typed-fields.ts'

type Fees = z.output<typeof FeePart>[]
const optional = <T>(typed: z.ZodType<T, string>) => z.union([z.literal('').transform(() => null), typed])

/** What the organiser asks, one line for each way of asking it; empty asks nothing. */
const fees = {
  perKwh: optional(typedPrice),
  percentNet: optional(typedNumber({ min: 0, max: 100, scale: 100 })),
  fixed: optional(typedNumber({ min: 0, max: 100_000, scale: 100 })),
}
const { version: _, managementFees: _fees, managementFeeRate: _rate, ...identity } = SellerUpdate.shape
export const SellerForm = z.object({
  ...identity,
  ...fees,
  managementFeeRate: typedNumber({ min: 0, max: 100, scale: 100 }),
})
export type SellerFormState = ReturnType<typeof useSchemaForm<typeof SellerForm>>

export function feesOf({ perKwh, percentNet, fixed }: z.output<typeof SellerForm>): Fees {
  return [
    ...(perKwh === null ? [] : [{ kind: 'perKwh' as const, price: perKwh }]),
    ...(percentNet === null ? [] : [{ kind: 'percentNet' as const, bp: percentNet }]),
    ...(fixed === null ? [] : [{ kind: 'fixed' as const, amount: fixed }]),
  ]
}

/** As the contract takes it. */
export function bodyOf(value: z.output<typeof SellerForm>) {
  const { perKwh: _kwh, percentNet: _net, fixed: _fixed, ...rest } = value
  return { ...rest, managementFees: feesOf(value) }
}

type Known = Pick<Seller, 'name' | 'siren' | 'address' | 'postalCode' | 'city' | 'email' | 'phone' | 'prefix'> &
  Partial<Seller>

export function defaultsOf(known: Known): z.input<typeof SellerForm> {
  const part = <K extends FeePart['kind']>(kind: K) =>
    known.managementFees?.find((fee): fee is Extract<FeePart, { kind: K }> => fee.kind === kind)
  const { name, siren, address, postalCode, city, email, phone, prefix } = known
  const net = part('percentNet')
  const fixed = part('fixed')
  return {
    name,
    siren,
    address,
    postalCode,
    city,
    email,
    phone,
    prefix,
    payfip: known.payfip ?? '',
    legalForm: known.legalForm ?? '',
    siret: known.siret ?? '',
    vatNumber: known.vatNumber ?? '',
    country: known.country ?? 'FR',
    perKwh: priceText(part('perKwh')?.price ?? null),
    percentNet: net ? numberText(net.bp, 100) : '',
    fixed: fixed ? numberText(fixed.amount, 100) : '',
    managementFeeRate: numberText(known.managementFeeRate ?? 2000, 100),
  }
}
