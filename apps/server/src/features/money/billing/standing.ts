import type { IssuedAmount } from '@voisol/contract/billing-documents'
import type { Db } from '../../../db/client.ts'
import type { Wanted } from './computed.ts'
import { whOf } from './facts.ts'
import { peopleOf } from './preview.ts'
import { computationOf, findMonth } from './stored.ts'

/** What a closed month stands at today, its corrections included, by document; null where it is open. */
export async function standingOf(db: Db, wanted: Wanted): Promise<IssuedAmount[] | null> {
  const row = await findMonth(db, wanted.companyId, wanted.operationId, wanted.month)
  if (!row) return null
  const { outcome } = await computationOf(db, row, 'last')
  const documents = outcome.standing ?? outcome.documents
  const { sellers, buyers } = await peopleOf(db, wanted, documents)
  return documents.map((document) => ({
    seller: { id: document.seller, name: sellers.get(document.seller) ?? '' },
    buyer: { id: document.buyer, name: buyers.get(document.buyer) ?? '' },
    apart: document.apart,
    wh: whOf(document),
    net: document.totals.net,
    gross: document.totals.gross,
  }))
}
