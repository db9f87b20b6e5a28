import type { CorrectionSummary, ProposedChange } from '@voisol/contract/corrections'
import { type Correction, type Rectified, type Waiting, whOf } from '@voisol/money/corrections'
import type { Document } from '@voisol/money/document'
import { documentName } from '@voisol/money/document'
import type { Standing } from './judge.ts'

type Names = { sellers: ReadonlyMap<string, string>; buyers: ReadonlyMap<string, string> }
const named = (documents: readonly Document[]) => new Map(documents.map((each) => [documentName(each), each]))
const NOTHING = { net: 0, tax: 0, gross: 0 }

/** Each change of a month, with what it was and what it comes to. */
export function changesOf({ month, standing, clean }: Standing, judged: Rectified, names: Names): ProposedChange[] {
  const [before, after] = [named(standing), named(clean)]
  const change = (pair: Document | Correction | Waiting, becomes: ProposedChange['becomes'], delta = NOTHING) => ({
    month: `${month}-01`,
    sellerId: pair.seller,
    seller: names.sellers.get(pair.seller) ?? '',
    buyerId: pair.buyer,
    buyer: names.buyers.get(pair.buyer) ?? '',
    becomes,
    whBefore: whOf(before.get(documentName(pair))),
    whAfter: whOf(after.get(documentName(pair))),
    delta,
  })
  return [
    ...judged.corrections.map((each) => change(each, each.document, each.delta)),
    ...judged.reissued.map((each) => change(each, 'reissued')),
  ]
}

const sumOf = (changes: readonly ProposedChange[], figure: (change: ProposedChange) => number) =>
  changes.reduce((sum, change) => sum + figure(change), 0)

export function summaryOf(changes: readonly ProposedChange[]): CorrectionSummary {
  const only = (becomes: ProposedChange['becomes']) => changes.filter((change) => change.becomes === becomes)
  const sent = [...only('creditNote'), ...only('complement')]
  const waiting = (becomes: 'held' | 'barred') => ({
    buyers: new Set(only(becomes).map(({ buyerId }) => buyerId)).size,
    gross: sumOf(only(becomes), ({ delta }) => delta.gross),
  })
  return {
    delta: {
      net: sumOf(sent, ({ delta }) => delta.net),
      tax: sumOf(sent, ({ delta }) => delta.tax),
      gross: sumOf(sent, ({ delta }) => delta.gross),
    },
    creditNotes: only('creditNote').length,
    complements: only('complement').length,
    reissued: only('reissued').length,
    held: waiting('held'),
    barred: waiting('barred'),
    wh: sumOf(changes, ({ whAfter, whBefore }) => whAfter - whBefore),
  }
}
