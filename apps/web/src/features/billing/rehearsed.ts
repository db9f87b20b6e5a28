import type { DraftDocument, IssuedAmount } from '@voisol/contract/billing-documents'

type Amount = { wh: number; gross: number }
export type Compared = {
  id: string
  buyer: string
  seller: string
  apart: boolean
  before: Amount | null
  now: Amount | null
  gross: number
  wh: number
}
type Named = Pick<IssuedAmount, 'seller' | 'buyer' | 'apart' | 'wh' | 'gross'>

const nameOf = ({ seller, buyer, apart }: Named) => `${seller.id} ${buyer.id} ${apart}`
const sumOf = (all: readonly Amount[]) => all.reduce((sum, { gross }) => sum + gross, 0)

/** By document what stands and what would be, those that differ alone, the largest difference first. */
export function compare(standing: readonly IssuedAmount[], documents: readonly DraftDocument[]) {
  const [old, fresh] = [new Map<string, Named>(), new Map<string, Named>()]
  for (const one of standing) old.set(nameOf(one), one)
  for (const one of documents) fresh.set(nameOf(one), one)
  const names = [...new Set([...old.keys(), ...fresh.keys()])]
  const all = names.flatMap((id): Compared[] => {
    const [before, now] = [old.get(id) ?? null, fresh.get(id) ?? null]
    const known = now ?? before
    if (!known) return []
    const [gross, wh] = [(now?.gross ?? 0) - (before?.gross ?? 0), (now?.wh ?? 0) - (before?.wh ?? 0)]
    return [{ id, buyer: known.buyer.name, seller: known.seller.name, apart: known.apart, before, now, gross, wh }]
  })
  const rows = all.filter(({ gross, wh, before, now }) => gross !== 0 || wh !== 0 || !before || !now)
  return {
    rows: rows.sort((a, b) => Math.abs(b.gross) - Math.abs(a.gross) || a.buyer.localeCompare(b.buyer, 'fr')),
    same: all.length - rows.length,
    before: sumOf(standing),
    now: sumOf(documents),
  }
}
