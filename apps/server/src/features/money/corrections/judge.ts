import { type MonthToRectify, type RectificationResult, rectifyMonths } from '@voisol/money/corrections'
import { type BillingDocument, getDocumentKey } from '@voisol/money/document'
import { toCanonicalJson } from '../../../hash.ts'

/** A month, or the months of one invoice, as it stands issued and as it is computed to be. */
export type MonthComparison = {
  readonly month: string
  readonly standing: readonly BillingDocument[]
  readonly clean: readonly BillingDocument[]
  /** The months of a joined invoice, each by itself. */
  readonly parts?: readonly MonthComparison[]
}
export type CorrectionTerms = {
  thresholdCents: number
  /** Buyers who left: nothing of theirs is held any longer. */
  left: ReadonlySet<string>
  /** The year of the month has ended: nothing of it is held. */
  isOver: (month: string) => boolean
  /** The month is too old for this buyer to be asked for more. */
  isBarred: (month: string, buyer: string) => boolean
}

const filterByDeparture = (documents: readonly BillingDocument[], left: ReadonlySet<string>, gone: boolean) =>
  documents.filter(({ buyer }) => left.has(buyer) === gone)

const getVatFingerprint = (documents: readonly BillingDocument[], buyer: string) =>
  toCanonicalJson(documents.filter((own) => own.buyer === buyer).map((own) => [getDocumentKey(own), own.vat]))

/** The months in which something changes for a buyer. */
const listChangedMonths = (
  { month, standing, clean, parts = [{ month, standing, clean }] }: MonthComparison,
  buyer: string,
) =>
  parts
    .filter((part) => getVatFingerprint(part.standing, buyer) !== getVatFingerprint(part.clean, buyer))
    .map((part) => part.month)

function rectifyBuyers(
  months: readonly MonthComparison[],
  terms: CorrectionTerms,
  gone: boolean,
): RectificationResult[] {
  const parts = months.map(
    (each): MonthToRectify => ({
      issued: filterByDeparture(each.standing, terms.left, gone),
      clean: filterByDeparture(each.clean, terms.left, gone),
      isBarred: (buyer) => listChangedMonths(each, buyer).some((month) => terms.isBarred(month, buyer)),
      isOver: (buyer) => listChangedMonths(each, buyer).some(terms.isOver),
    }),
  )
  return rectifyMonths(parts, { thresholdCents: terms.thresholdCents, flush: gone })
}

/**
 * What each month needs. Cents are held by seller and buyer, so those who left are judged apart from the others without
 * either changing what becomes of the other.
 */
export function computeCorrections(months: readonly MonthComparison[], terms: CorrectionTerms): RectificationResult[] {
  const [staying, departed] = [rectifyBuyers(months, terms, false), rectifyBuyers(months, terms, true)]
  return months.map((_, at) => {
    const [a, b] = [staying[at], departed[at]]
    return {
      corrections: [...(a?.corrections ?? []), ...(b?.corrections ?? [])],
      reissued: [...(a?.reissued ?? []), ...(b?.reissued ?? [])],
      standing: [...(a?.standing ?? []), ...(b?.standing ?? [])],
      uncorrected: [...(a?.uncorrected ?? []), ...(b?.uncorrected ?? [])],
    }
  })
}

/** What stands of one month once the documents of its invoice are issued: whatever is sent as computed, the rest as it was. */
export function computeStandingDocuments(
  { standing, clean }: MonthComparison,
  { corrections, reissued }: RectificationResult,
): BillingDocument[] {
  const sent = new Set([...corrections.filter((each) => 'lines' in each), ...reissued].map(getDocumentKey))
  return [
    ...standing.filter((document) => !sent.has(getDocumentKey(document))),
    ...clean.filter((document) => sent.has(getDocumentKey(document))),
  ]
}
