import { type MonthToRectify, type RectificationResult, rectifyMonths } from '@voisol/money/corrections'
import { type BillingDocument, getDocumentKey } from '@voisol/money/document'
import { and, eq, gt, inArray, isNull, or } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { participations } from '../../../db/schema/index.ts'
import { toCanonicalJson } from '../../../hash.ts'
import { getToday } from '../../../today.ts'
import { loadBuyers } from '../parties/index.ts'
import { loadSettingsOn } from '../settings/index.ts'

/** A month, or the months of one invoice, as issued so far and as computed now. */
export type MonthComparison = {
  readonly month: string
  readonly standing: readonly BillingDocument[]
  readonly clean: readonly BillingDocument[]
  /** Each month of a joined invoice. */
  readonly parts?: readonly MonthComparison[]
}
export type CorrectionTerms = {
  thresholdCents: number
  /** Buyers who left: their cents are no longer withheld. */
  left: ReadonlySet<string>
  /** The year of the month has ended: its cents are no longer withheld. */
  isOver: (month: string) => boolean
  /** The month is too old to claim more from this buyer. */
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
 * Computes the corrections of each month. Cents are withheld by seller and buyer, so buyers who left are handled
 * separately without affecting the others.
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

/** The documents of one month after issuing: those sent as computed now, the others as they were. */
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

/** Buyers with no participation still running. */
async function loadDepartedBuyers(db: Db, companyId: number, buyers: string[], day: string): Promise<Set<string>> {
  if (!buyers.length) return new Set()
  const rows = await db
    .selectDistinct({ id: participations.participantId })
    .from(participations)
    .where(
      and(
        eq(participations.companyId, companyId),
        inArray(participations.participantId, buyers),
        or(isNull(participations.endsOn), gt(participations.endsOn, day)),
      ),
    )
  const here = new Set(rows.map(({ id }) => id))
  return new Set(buyers.filter((id) => !here.has(id)))
}

/** Whether the month is past the time limit for claiming more from a person. */
const isClaimExpired = (month: string, claimMonths: number, day: string) =>
  Temporal.PlainDate.from(`${month}-01`)
    .add({ months: 1 + claimMonths })
    .toString() <= day

/** Today's rules on withheld cents, buyers who left, and claims that are too old. */
export async function loadCorrectionTerms(
  db: Db,
  companyId: number,
  months: readonly MonthComparison[],
): Promise<CorrectionTerms> {
  const day = getToday()
  const settings = await loadSettingsOn(db, companyId, day)
  const pairs = months.flatMap(({ standing, clean }) => [...standing, ...clean])
  const ids = [...new Set(pairs.map(({ buyer }) => buyer))]
  const buyers = await loadBuyers(db, companyId, ids)
  const claimMonths = settings['correction.claimMonths'].value
  return {
    thresholdCents: settings['correction.heldCents'].value,
    left: await loadDepartedBuyers(db, companyId, ids, day),
    isOver: (month) => month.slice(0, 4) < day.slice(0, 4),
    isBarred: (month, buyer) => buyers.get(buyer)?.kind === 'person' && isClaimExpired(month, claimMonths, day),
  }
}
