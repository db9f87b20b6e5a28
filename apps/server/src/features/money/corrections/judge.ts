import { type MonthToRectify, type Rectified, rectifyMonths } from '@voisol/money/corrections'
import { type Document, documentName } from '@voisol/money/document'
import { canonical } from '../../../hash.ts'

/** A month, or the months of one invoice, as it stands issued and as it is computed to be. */
export type Standing = {
  readonly month: string
  readonly standing: readonly Document[]
  readonly clean: readonly Document[]
  /** The months of a joined invoice, each by itself. */
  readonly parts?: readonly Standing[]
}
export type Terms = {
  thresholdCents: number
  /** Buyers who left: nothing of theirs is held any longer. */
  left: ReadonlySet<string>
  /** The year of the month has ended: nothing of it is held. */
  isOver: (month: string) => boolean
  /** The month is too old for this buyer to be asked for more. */
  isBarred: (month: string, buyer: string) => boolean
}

const onlyOf = (documents: readonly Document[], left: ReadonlySet<string>, gone: boolean) =>
  documents.filter(({ buyer }) => left.has(buyer) === gone)

const figuresOf = (documents: readonly Document[], buyer: string) =>
  canonical(documents.filter((own) => own.buyer === buyer).map((own) => [documentName(own), own.vat]))

/** The months in which something changes for a buyer. */
const changedFor = ({ month, standing, clean, parts = [{ month, standing, clean }] }: Standing, buyer: string) =>
  parts.filter((part) => figuresOf(part.standing, buyer) !== figuresOf(part.clean, buyer)).map((part) => part.month)

function rectified(months: readonly Standing[], terms: Terms, gone: boolean): Rectified[] {
  const parts = months.map(
    (each): MonthToRectify => ({
      issued: onlyOf(each.standing, terms.left, gone),
      clean: onlyOf(each.clean, terms.left, gone),
      isBarred: (buyer) => changedFor(each, buyer).some((month) => terms.isBarred(month, buyer)),
      isOver: (buyer) => changedFor(each, buyer).some(terms.isOver),
    }),
  )
  return rectifyMonths(parts, { thresholdCents: terms.thresholdCents, flush: gone })
}

/**
 * What each month needs. Cents are held by seller and buyer, so those who left are judged apart from the others without
 * either changing what becomes of the other.
 */
export function judge(months: readonly Standing[], terms: Terms): Rectified[] {
  const [stay, gone] = [rectified(months, terms, false), rectified(months, terms, true)]
  return months.map((_, at) => {
    const [a, b] = [stay[at], gone[at]]
    return {
      corrections: [...(a?.corrections ?? []), ...(b?.corrections ?? [])],
      reissued: [...(a?.reissued ?? []), ...(b?.reissued ?? [])],
      standing: [...(a?.standing ?? []), ...(b?.standing ?? [])],
      uncorrected: [...(a?.uncorrected ?? []), ...(b?.uncorrected ?? [])],
    }
  })
}

/** What stands of one month once the documents of its invoice are issued: whatever is sent as computed, the rest as it was. */
export function standingIn({ standing, clean }: Standing, { corrections, reissued }: Rectified): Document[] {
  const sent = new Set([...corrections.filter((each) => 'lines' in each), ...reissued].map(documentName))
  return [
    ...standing.filter((document) => !sent.has(documentName(document))),
    ...clean.filter((document) => sent.has(documentName(document))),
  ]
}
