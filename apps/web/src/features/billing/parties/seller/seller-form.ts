import { type FeePart, type Seller, SellerUpdate } from '@voisol/contract/sellers'
import { z } from 'zod'
import { formatNumberInput, numberInputSchema } from '../../../../lib/field-schemas.ts'
import type { useSchemaForm } from '../../../../lib/form.ts'
import { formatPriceInput, priceInputSchema } from '../../../../lib/price.ts'

type FeeParts = z.output<typeof FeePart>[]
const optionalField = <T>(typed: z.ZodType<T, string>) => z.union([z.literal('').transform(() => null), typed])

/** What the organiser asks, one line for each way of asking it; empty asks nothing. */
const feeFields = {
  perKwh: optionalField(priceInputSchema),
  percentNet: optionalField(numberInputSchema({ min: 0, max: 100, scale: 100 })),
  fixed: optionalField(numberInputSchema({ min: 0, max: 100_000, scale: 100 })),
}
const { version: _, managementFees: _fees, managementFeeRate: _rate, ...identity } = SellerUpdate.shape
export const SellerForm = z.object({
  ...identity,
  ...feeFields,
  managementFeeRate: numberInputSchema({ min: 0, max: 100, scale: 100 }),
})
export type SellerFormState = ReturnType<typeof useSchemaForm<typeof SellerForm>>

function toFeeParts({ perKwh, percentNet, fixed }: z.output<typeof SellerForm>): FeeParts {
  return [
    ...(perKwh === null ? [] : [{ kind: 'perKwh' as const, price: perKwh }]),
    ...(percentNet === null ? [] : [{ kind: 'percentNet' as const, bp: percentNet }]),
    ...(fixed === null ? [] : [{ kind: 'fixed' as const, amount: fixed }]),
  ]
}

/** As the contract takes it. */
export function toSellerBody(value: z.output<typeof SellerForm>) {
  const { perKwh: _kwh, percentNet: _net, fixed: _fixed, ...rest } = value
  return { ...rest, managementFees: toFeeParts(value) }
}

type KnownSeller = Pick<Seller, 'name' | 'siren' | 'address' | 'postalCode' | 'city' | 'email' | 'phone' | 'prefix'> &
  Partial<Seller>

export function toSellerFormDefaults(seller: KnownSeller): z.input<typeof SellerForm> {
  const findFee = <K extends FeePart['kind']>(kind: K) =>
    seller.managementFees?.find((fee): fee is Extract<FeePart, { kind: K }> => fee.kind === kind)
  const { name, siren, address, postalCode, city, email, phone, prefix } = seller
  const net = findFee('percentNet')
  const fixed = findFee('fixed')
  return {
    name,
    siren,
    address,
    postalCode,
    city,
    email,
    phone,
    prefix,
    payfip: seller.payfip ?? '',
    legalForm: seller.legalForm ?? '',
    siret: seller.siret ?? '',
    vatNumber: seller.vatNumber ?? '',
    country: seller.country ?? 'FR',
    perKwh: formatPriceInput(findFee('perKwh')?.price ?? null),
    percentNet: net ? formatNumberInput(net.bp, 100) : '',
    fixed: fixed ? formatNumberInput(fixed.amount, 100) : '',
    managementFeeRate: formatNumberInput(seller.managementFeeRate ?? 2000, 100),
  }
}
