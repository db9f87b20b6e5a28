import type { CorrectionSummary, ProposedChange } from '@voisol/contract/corrections'
import {
  type Correction,
  type RectificationResult,
  sumDocumentWh,
  type UnsentCorrection,
} from '@voisol/money/corrections'
import type { BillingDocument } from '@voisol/money/document'
import { getDocumentKey } from '@voisol/money/document'
import type { MonthComparison } from './judge.ts'

type SellerAndBuyerNames = { sellers: ReadonlyMap<string, string>; buyers: ReadonlyMap<string, string> }
const indexByName = (documents: readonly BillingDocument[]) =>
  new Map(documents.map((each) => [getDocumentKey(each), each]))
const NO_DELTA = { net: 0, tax: 0, gross: 0 }

/** Each change of a month: the amount before, the difference, and the document it becomes. */
export function buildProposedChanges(
  { month, standing, clean }: MonthComparison,
  rectified: RectificationResult,
  names: SellerAndBuyerNames,
): ProposedChange[] {
  const [before, after] = [indexByName(standing), indexByName(clean)]
  const change = (
    pair: BillingDocument | Correction | UnsentCorrection,
    becomes: ProposedChange['becomes'],
    delta = NO_DELTA,
  ) => ({
    month: `${month}-01`,
    sellerId: pair.seller,
    seller: names.sellers.get(pair.seller) ?? '',
    buyerId: pair.buyer,
    buyer: names.buyers.get(pair.buyer) ?? '',
    becomes,
    whBefore: sumDocumentWh(before.get(getDocumentKey(pair))),
    whAfter: sumDocumentWh(after.get(getDocumentKey(pair))),
    delta,
  })
  return [
    ...rectified.corrections.map((each) => change(each, each.document, each.delta)),
    ...rectified.reissued.map((each) => change(each, 'reissued')),
  ]
}

const sumFigure = (changes: readonly ProposedChange[], figure: (change: ProposedChange) => number) =>
  changes.reduce((sum, change) => sum + figure(change), 0)

export function summarizeChanges(changes: readonly ProposedChange[]): CorrectionSummary {
  const only = (becomes: ProposedChange['becomes']) => changes.filter((change) => change.becomes === becomes)
  const sent = [...only('creditNote'), ...only('complement')]
  const waiting = (becomes: 'held' | 'barred') => ({
    buyers: new Set(only(becomes).map(({ buyerId }) => buyerId)).size,
    gross: sumFigure(only(becomes), ({ delta }) => delta.gross),
  })
  return {
    delta: {
      net: sumFigure(sent, ({ delta }) => delta.net),
      tax: sumFigure(sent, ({ delta }) => delta.tax),
      gross: sumFigure(sent, ({ delta }) => delta.gross),
    },
    creditNotes: only('creditNote').length,
    complements: only('complement').length,
    reissued: only('reissued').length,
    held: waiting('held'),
    barred: waiting('barred'),
    wh: sumFigure(changes, ({ whAfter, whBefore }) => whAfter - whBefore),
  }
}
