import type { DraftDocument, IssuedAmount } from '@voisol/contract/billing-documents'

type Amount = { wh: number; gross: number }
export type ComparedDocument = {
  id: string
  buyer: string
  seller: string
  apart: boolean
  before: Amount | null
  now: Amount | null
  gross: number
  wh: number
}
type DocumentAmount = Pick<IssuedAmount, 'seller' | 'buyer' | 'apart' | 'wh' | 'gross'>

const getDocumentKey = ({ seller, buyer, apart }: DocumentAmount) => `${seller.id} ${buyer.id} ${apart}`
const sumGross = (all: readonly Amount[]) => all.reduce((sum, { gross }) => sum + gross, 0)

/** By document what stands and what would be, those that differ alone, the largest difference first. */
export function compareDocuments(standing: readonly IssuedAmount[], documents: readonly DraftDocument[]) {
  const [issued, recomputed] = [new Map<string, DocumentAmount>(), new Map<string, DocumentAmount>()]
  for (const one of standing) issued.set(getDocumentKey(one), one)
  for (const one of documents) recomputed.set(getDocumentKey(one), one)
  const names = [...new Set([...issued.keys(), ...recomputed.keys()])]
  const all = names.flatMap((id): ComparedDocument[] => {
    const [before, now] = [issued.get(id) ?? null, recomputed.get(id) ?? null]
    const known = now ?? before
    if (!known) return []
    const [gross, wh] = [(now?.gross ?? 0) - (before?.gross ?? 0), (now?.wh ?? 0) - (before?.wh ?? 0)]
    return [{ id, buyer: known.buyer.name, seller: known.seller.name, apart: known.apart, before, now, gross, wh }]
  })
  const rows = all.filter(({ gross, wh, before, now }) => gross !== 0 || wh !== 0 || !before || !now)
  return {
    rows: rows.sort((a, b) => Math.abs(b.gross) - Math.abs(a.gross) || a.buyer.localeCompare(b.buyer, 'fr')),
    same: all.length - rows.length,
    before: sumGross(standing),
    now: sumGross(documents),
  }
}
