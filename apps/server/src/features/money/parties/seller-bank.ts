import type { SellerBank } from '@voisol/contract/sellers'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import type { Secrets } from '../../../secrets.ts'
import { compactIban, findIbanError } from '../../energy/participants/participants.ts'
import { loadSeller } from './seller-view.ts'
import { lockSeller, updateSellerColumns } from './seller-write.ts'
import type { SellerRow } from './sellers.ts'

type SellerRef = Pick<SellerRow, 'companyId' | 'id'>
const getSealContext = ({ companyId, id }: SellerRef) => `seller iban ${companyId} ${id}`

/** Only for invoices and collecting money: no screen shows the full IBAN. */
export const decryptSellerIban = (secrets: Secrets, seller: SellerRef & Pick<SellerRow, 'iban'>) =>
  seller.iban === null ? null : secrets.open(seller.iban, getSealContext(seller))

export function toIbanColumns(secrets: Secrets, seller: SellerRef, text: string | undefined) {
  if (text === undefined) return {}
  const iban = compactIban(text)
  if (iban === '') return { iban: null, ibanEnd: '' }
  const fault = findIbanError(iban)
  if (fault) throw fieldError('iban', fault)
  return { iban: secrets.seal(iban, getSealContext(seller)), ibanEnd: iban.slice(-4) }
}

export async function saveSellerBank(
  tx: Db,
  secrets: Secrets,
  actor: Actor,
  id: string,
  { iban, bic, version }: z.output<typeof SellerBank>,
) {
  const row = await lockSeller(tx, actor, id)
  requireCurrentVersion(row, { bic, version })
  await updateSellerColumns(tx, actor, id, { ...toIbanColumns(secrets, row, iban), bic })
  return { before: row, after: await loadSeller(tx, actor, id) }
}
