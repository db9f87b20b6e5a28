import { type MonthToRectify, type Rectified, rectifyMonths } from '@voisol/money/corrections'
import type { Document } from '@voisol/money/document'

/** A month as it stands issued, and as it is computed to be. */
export type Standing = {
  readonly month: string
  readonly standing: readonly Document[]
  readonly clean: readonly Document[]
}
export type Terms = {
  thresholdCents: number
  /** Buyers who left: nothing of theirs is held any longer. */
  left: ReadonlySet<string>
  /** At the end of the year nothing is held. */
  flush: boolean
  /** The month is too old for this buyer to be asked for more. */
  isBarred: (month: string, buyer: string) => boolean
}

const onlyOf = (documents: readonly Document[], left: ReadonlySet<string>, gone: boolean) =>
  documents.filter(({ buyer }) => left.has(buyer) === gone)

function rectified(months: readonly Standing[], terms: Terms, gone: boolean): Rectified[] {
  const parts = months.map(
    ({ month, standing, clean }): MonthToRectify => ({
      issued: onlyOf(standing, terms.left, gone),
      clean: onlyOf(clean, terms.left, gone),
      isBarred: (buyer) => terms.isBarred(month, buyer),
    }),
  )
  return rectifyMonths(parts, { thresholdCents: terms.thresholdCents, flush: gone || terms.flush })
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
