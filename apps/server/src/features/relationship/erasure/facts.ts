import type { ErasureFacts } from '@voisol/contract/erasure'
import { RETENTION_RULES } from '@voisol/contract/retention-kinds'
import { addMonths } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { listUserIdsOfOnlyThisParticipant } from '../../../core/held.ts'
import type { Db } from '../../../db/client.ts'
import type { participants } from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'
import { loadOpenAmounts } from '../../money/invoices/invoices.ts'

export type ErasableParticipant = typeof participants.$inferSelect

/** As long as Enedis may correct a month, an invoice may follow, and its buyer must be known. */
const CORRECTION_WINDOW_MONTHS = RETENTION_RULES.curves.least
const INVOICE_YEARS = 10

type ErasureCounts = {
  running: string[]
  lastDay: string | null
  tickets: number
  notifications: number
  documents: number
  invoices: number
  lastInvoice: string | null
}

async function loadErasureCounts(db: Db, { companyId, id }: ErasableParticipant): Promise<ErasureCounts> {
  const accounts = sql`any(${sql.param(await listUserIdsOfOnlyThisParticipant(db, companyId, id))}::uuid[])`
  const { rows } = await db.execute<ErasureCounts>(sql`select
    array(select distinct o.name from participations s
            join operations o on o.company_id = s.company_id and o.id = s.operation_id
           where s.company_id = ${companyId} and s.participant_id = ${id}
             and (s.ends_on is null or s.ends_on > ${getToday()}) order by 1) as running,
    (select max(ends_on)::text from participations where company_id = ${companyId} and participant_id = ${id}) as "lastDay",
    (select count(*)::int from tickets where company_id = ${companyId} and asker_id = ${accounts}) as tickets,
    (select count(*)::int from notifications where company_id = ${companyId} and user_id = ${accounts}) as notifications,
    (select count(*)::int from documents where company_id = ${companyId} and owner_id = ${id}) as documents,
    (select count(*)::int from invoices where company_id = ${companyId} and buyer_id = ${id}) as invoices,
    (select max(issued_on)::text from invoices where company_id = ${companyId} and buyer_id = ${id}) as "lastInvoice"`)
  const [found] = rows
  if (!found) throw new Error('nothing was counted')
  return found
}

/** The first day after which no correction can concern the person. */
export const getErasableFrom = ({ running, lastDay }: Pick<ErasureCounts, 'running' | 'lastDay'>): string | null => {
  if (running.length) return null
  return lastDay ? addMonths(lastDay, CORRECTION_WINDOW_MONTHS) : getToday()
}

export async function loadErasureFacts(db: Db, participant: ErasableParticipant): Promise<ErasureFacts> {
  const { companyId, id, name, userId, erasureAskedOn, erasedOn, version } = participant
  const { lastDay, lastInvoice, ...found } = await loadErasureCounts(db, participant)
  // Open amounts in both directions: a refund due also needs its recipient.
  const open = [...(await loadOpenAmounts(db, companyId, [id])).values()].reduce(
    (sum, cents) => sum + Math.abs(cents),
    0,
  )
  return {
    name,
    ...found,
    open,
    possibleOn: getErasableFrom({ running: found.running, lastDay }),
    account: userId !== null,
    invoicesUntil: lastInvoice && addMonths(lastInvoice, 12 * INVOICE_YEARS),
    askedOn: erasureAskedOn,
    erasedOn,
    version,
  }
}
