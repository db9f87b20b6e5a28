import type { ShadowRow } from '@voisol/contract/takeovers'

export type DocumentAmounts = { net: number; tax: number; gross: number }
export type OurDocument = DocumentAmounts & { sellerId: string; buyerId: string; wh: number }
export type TheirDocument = DocumentAmounts & {
  sellerId: string
  buyerId: string
  wh: number | null
  kind: 'invoice' | 'creditNote'
}

const getPairKey = ({ sellerId, buyerId }: { sellerId: string; buyerId: string }) => `${sellerId} ${buyerId}`

function sumOurDocuments(rows: OurDocument[]): ShadowRow['ours'] {
  if (rows.length === 0) return null
  const sum = (name: 'wh' | keyof DocumentAmounts) => rows.reduce((all, row) => all + row[name], 0)
  return { wh: sum('wh'), net: sum('net'), tax: sum('tax'), gross: sum('gross') }
}

/** Credit notes are subtracted; if one document has no energy, the total energy is unknown. */
function sumTheirDocuments(rows: TheirDocument[]): ShadowRow['theirs'] {
  if (rows.length === 0) return null
  const signed = (value: number, { kind }: TheirDocument) => (kind === 'creditNote' ? 0 - value : value)
  const sum = (name: keyof DocumentAmounts) => rows.reduce((all, row) => all + signed(row[name], row), 0)
  const wh = rows.reduce<number | null>(
    (all, row) => (all === null || row.wh === null ? null : all + signed(row.wh, row)),
    0,
  )
  return { wh, net: sum('net'), tax: sum('tax'), gross: sum('gross') }
}

/** Watt-hours that rounding to a tenth of a kWh may hide in the other program's documents. */
const ROUNDING_TOLERANCE_WH = 50

function findDifferenceCause(ours: ShadowRow['ours'], theirs: ShadowRow['theirs']): ShadowRow['cause'] {
  if (!ours) return 'missing'
  if (!theirs) return 'extra'
  const alike = theirs.wh === null || Math.abs(ours.wh - theirs.wh) <= ROUNDING_TOLERANCE_WH
  if (ours.net === theirs.net && ours.gross === theirs.gross && alike) return 'none'
  if (!alike) return 'energy'
  return ours.net === theirs.net ? 'tax' : 'price'
}

/** What we would have billed beside what was billed, by seller and buyer, largest difference first. */
export function compareWithPastBilling(ours: OurDocument[], theirs: TheirDocument[]) {
  const pairs = [
    ...new Map(
      [...ours, ...theirs].map(({ sellerId, buyerId }) => [getPairKey({ sellerId, buyerId }), { sellerId, buyerId }]),
    ).values(),
  ]
  const rows = pairs.map((pair) => {
    const own = <T extends { sellerId: string; buyerId: string }>(all: T[]) =>
      all.filter((row) => getPairKey(row) === getPairKey(pair))
    const [here, there] = [sumOurDocuments(own(ours)), sumTheirDocuments(own(theirs))]
    return {
      ...pair,
      ours: here,
      theirs: there,
      difference: (here?.gross ?? 0) - (there?.gross ?? 0),
      cause: findDifferenceCause(here, there),
    }
  })
  return rows.sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference))
}
