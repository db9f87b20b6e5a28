import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { collectionOf } from '@voisol/money/collection'
import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { mandates } from '../../../db/schema/index.ts'
import { creditorsOn } from '../parties/parties.ts'
import { settingsOn } from '../settings/settings.ts'

type Debit = NonNullable<InvoiceSnapshot['debit']>
type Dated = Pick<InvoiceSnapshot, 'kind' | 'seller' | 'totals' | 'issuedOn'>
export type DebitOf = (document: Dated, buyerId: string | null, dueDays: number) => Debit | undefined

/** By participant and creditor: the mandate that holds. */
async function activeMandates(db: Db, companyId: number, buyerIds: string[]) {
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

/** How documents made on a day are debited: the first day of the banks on which they are due and were announced. */
export async function debitTerms(db: Db, companyId: number, day: string, buyerIds: string[]): Promise<DebitOf> {
  const creditors = await creditorsOn(db, companyId, day)
  const active = await activeMandates(db, companyId, buyerIds)
  const held = await settingsOn(db, companyId, day)
  const [notice, lead] = [held['debit.noticeDays'].value, held['debit.leadDays'].value]
  return ({ kind, seller, totals, issuedOn }, buyerId, term) => {
    const creditor = creditors.get(seller.id)
    const mandate = active.get(`${creditor?.id} ${buyerId}`)
    const asks = (kind === 'invoice' || kind === 'complement') && totals.gross > 0
    if (!creditor || !mandate || !asks) return
    const { rum, ibanEnd } = mandate
    const { collection } = collectionOf({ issued: issuedOn, term, notified: issuedOn, notice, lead })
    return { creditor: creditor.name, ics: creditor.ics, rum, ibanEnd, collectionOn: collection }
  }
}
