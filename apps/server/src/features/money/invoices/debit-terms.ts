import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { computeCollection } from '@voisol/money/collection'
import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { mandates } from '../../../db/schema/index.ts'
import { loadCreditorsOn } from '../parties/parties.ts'
import { loadSettingsOn } from '../settings/settings.ts'

type Debit = NonNullable<InvoiceSnapshot['debit']>
type DatedSnapshot = Pick<InvoiceSnapshot, 'kind' | 'seller' | 'totals' | 'issuedOn'>
export type DebitFinder = (document: DatedSnapshot, buyerId: string | null, dueDays: number) => Debit | undefined

/** The active mandate by participant and creditor. */
async function loadActiveMandates(db: Db, companyId: number, buyerIds: string[]) {
  const rows = buyerIds.length
    ? await db
        .select()
        .from(mandates)
        .where(
          and(
            eq(mandates.companyId, companyId),
            eq(mandates.status, 'active'),
            inArray(mandates.participantId, buyerIds),
          ),
        )
    : []
  return new Map(rows.map((row) => [`${row.creditorId} ${row.participantId}`, row]))
}

/** How documents issued on a day are debited: on the first bank day when they are due and announced. */
export async function loadDebitTerms(db: Db, companyId: number, day: string, buyerIds: string[]): Promise<DebitFinder> {
  const creditors = await loadCreditorsOn(db, companyId, day)
  const active = await loadActiveMandates(db, companyId, buyerIds)
  const settings = await loadSettingsOn(db, companyId, day)
  const [notice, lead] = [settings['debit.noticeDays'].value, settings['debit.leadDays'].value]
  return ({ kind, seller, totals, issuedOn }, buyerId, term) => {
    const creditor = creditors.get(seller.id)
    const mandate = active.get(`${creditor?.id} ${buyerId}`)
    const asks = (kind === 'invoice' || kind === 'complement') && totals.gross > 0
    if (!creditor || !mandate || !asks) return
    const { rum, ibanEnd } = mandate
    const { collection } = computeCollection({ issued: issuedOn, term, notified: issuedOn, notice, lead })
    return { creditor: creditor.name, ics: creditor.ics, rum, ibanEnd, collectionOn: collection }
  }
}
