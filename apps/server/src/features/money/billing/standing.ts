import type { IssuedAmount } from '@voisol/contract/billing-documents'
import type { Db } from '../../../db/client.ts'
import type { MonthRequest } from './computed.ts'
import { sumEnergyWh } from './facts.ts'
import { loadPartyNames } from './preview.ts'
import { findClosedMonth, loadComputation } from './stored.ts'

/** The current amounts of a closed month by document, corrections included; null when the month is open. */
export async function loadCurrentBilledTotals(db: Db, wanted: MonthRequest): Promise<IssuedAmount[] | null> {
  const row = await findClosedMonth(db, wanted.companyId, wanted.operationId, wanted.month)
  if (!row) return null
  const { outcome } = await loadComputation(db, row, 'last')
  const documents = outcome.standing ?? outcome.documents
  const { sellers, buyers } = await loadPartyNames(db, wanted, documents)
  return documents.map((document) => ({
    seller: { id: document.seller, name: sellers.get(document.seller) ?? '' },
    buyer: { id: document.buyer, name: buyers.get(document.buyer) ?? '' },
    apart: document.apart,
    wh: sumEnergyWh(document),
    net: document.totals.net,
    gross: document.totals.gross,
  }))
}
