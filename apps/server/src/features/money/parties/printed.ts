import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import type { VatMode } from '@voisol/contract/money'
import { isDayInPeriod } from '@voisol/money/days'
import type { Secrets } from '../../../secrets.ts'
import { decryptSellerIban } from './seller-bank.ts'
import type { SellerRow } from './sellers.ts'

/** The VAT mode of a seller on a day; undefined when none was set. */
export const findVatModeOn = ({ vat }: SellerRow, day: string): VatMode | undefined =>
  vat.find((span) => isDayInPeriod(span, day))?.mode

/** A seller as its documents print it, bank account included. */
export function toSnapshotSeller(secrets: Secrets, seller: SellerRow, vatMode: VatMode): InvoiceSnapshot['seller'] {
  const {
    id,
    name,
    siren,
    siret,
    vatNumber,
    email,
    phone,
    address,
    postalCode,
    city,
    country,
    legalForm,
    bic,
    payfip,
  } = seller
  const place = { address, postalCode, city, country }
  const iban = decryptSellerIban(secrets, seller) ?? ''
  return {
    id,
    name,
    siren,
    siret,
    vatNumber,
    email,
    phone,
    ...place,
    legalForm,
    vatMode,
    iban,
    bic,
    ...(payfip && { payfip }),
  }
}
