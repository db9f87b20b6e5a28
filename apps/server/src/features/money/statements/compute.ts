import { FeePart } from '@voisol/contract/sellers'
import type { ProducerStatement } from '@voisol/contract/statements'
import { computeProducerStatement } from '@voisol/money/accounts/statement'
import type { IssuedKind } from '@voisol/money/document'
import type { SellerRow } from '../parties/parties.ts'
import type { SoldDocument } from './documents.ts'

const ISSUED_KINDS: Record<string, IssuedKind> = {
  invoice: 'invoice',
  complement: 'complement',
  creditNote: 'creditNote',
}

export const parseManagementFees = ({ managementFees }: SellerRow): FeePart[] => FeePart.array().parse(managementFees)

/**
 * Amounts received on accounts of others; null when nobody collects for the producer: the payable amount is then
 * unknown, not zero.
 */
export type CollectedCash = { collected: number | null; brought: number }

/** A producer's month from its documents and the amounts collected for it. */
export function computeStatement(
  seller: SellerRow,
  month: string,
  sold: readonly SoldDocument[],
  feeRate: number,
  { collected, brought }: CollectedCash,
): Omit<ProducerStatement, 'settled' | 'waits'> {
  const documents = sold.flatMap(({ kind, wh, net, tax, gross }) => {
    const issued = ISSUED_KINDS[kind]
    return issued ? [{ kind: issued, wh, net, tax, gross }] : []
  })
  // A month without sales has no fees, fixed ones included: it is never settled.
  const fees = documents.length > 0 ? parseManagementFees(seller) : []
  const { sales, feeParts, fee, result, payable } = computeProducerStatement({
    documents,
    fee: { rate: feeRate, parts: fees },
    collected,
    brought,
  })
  return {
    sellerId: seller.id,
    seller: seller.name,
    month,
    documents: documents.length,
    sales,
    fees: fees.map((terms, at) => ({ terms, cents: feeParts[at] ?? 0 })),
    fee,
    collected,
    result,
    payable,
  }
}
