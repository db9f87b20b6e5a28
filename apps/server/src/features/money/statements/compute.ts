import { ManagementFee, type ProducerStatement } from '@voisol/contract/statements'
import { statementOf } from '@voisol/money/accounts/statement'
import type { IssuedKind } from '@voisol/money/document'
import type { SellerRow } from '../parties/parties.ts'
import type { SoldDocument } from './documents.ts'

const ISSUED: Record<string, IssuedKind> = { invoice: 'invoice', complement: 'complement', creditNote: 'creditNote' }

export const feesOf = ({ managementFees }: SellerRow): ManagementFee[] => ManagementFee.array().parse(managementFees)

/** A producer's month from its documents. Nobody collects for it yet: what is payable is unknown, not zero. */
export function computeStatement(
  seller: SellerRow,
  month: string,
  sold: readonly SoldDocument[],
  feeRate: number,
): Omit<ProducerStatement, 'settled' | 'waits'> {
  const documents = sold.flatMap(({ kind, wh, net, tax, gross }) => {
    const issued = ISSUED[kind]
    return issued ? [{ kind: issued, wh, net, tax, gross }] : []
  })
  // A month in which nothing was sold asks for nothing, a fixed part included: it is never settled.
  const fees = documents.length > 0 ? feesOf(seller) : []
  const { sales, feeParts, fee, result, payable } = statementOf({
    documents,
    fee: { rate: feeRate, parts: fees },
    collected: null,
    brought: 0,
  })
  return {
    sellerId: seller.id,
    seller: seller.name,
    month,
    documents: documents.length,
    sales,
    fees: fees.map((terms, at) => ({ terms, cents: feeParts[at] ?? 0 })),
    fee,
    collected: null,
    result,
    payable,
  }
}
