import type { SellerBank } from '@voisol/contract/sellers'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import type { Secrets } from '../../../secrets.ts'
import { compactIban, ibanFault } from '../../energy/participants/participants.ts'
import { getSeller } from './seller-view.ts'
import { lockSeller, saveSeller } from './seller-write.ts'
import type { SellerRow } from './sellers.ts'

type Whose = Pick<SellerRow, 'companyId' | 'id'>
const place = ({ companyId, id }: Whose) => `seller iban ${companyId} ${id}`

/** For what is printed on an invoice and for the collection of money: no screen shows it again. */
export const openSellerIban = (secrets: Secrets, seller: Whose & Pick<SellerRow, 'iban'>) =>
  seller.iban === null ? null : secrets.open(seller.iban, place(seller))

export function sealedIban(secrets: Secrets, whose: Whose, text: string | undefined) {
  if (text === undefined) return {}
  const iban = compactIban(text)
  if (iban === '') return { iban: null, ibanEnd: '' }
  const fault = ibanFault(iban)
  if (fault) throw fieldError('iban', fault)
  return { iban: secrets.seal(iban, place(whose)), ibanEnd: iban.slice(-4) }
}

export async function saveSellerBank(
  tx: Db,
  secrets: Secrets,
  actor: Actor,
  id: string,
  { iban, bic, version }: z.output<typeof SellerBank>,
) {
  const row = await lockSeller(tx, actor, id)
  requireVersion(row, { bic, version })
  await saveSeller(tx, actor, id, { ...sealedIban(secrets, row, iban), bic })
  return { before: row, after: await getSeller(tx, actor, id) }
}
