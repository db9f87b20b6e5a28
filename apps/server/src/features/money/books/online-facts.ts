import type { OnlinePayoutFact } from '@voisol/money/accounts/book-bank'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { Entity } from './entity.ts'

type Row = Omit<OnlinePayoutFact, 'cents' | 'kept'> & { cents: string; kept: string }

/** Bank lines by which a payment provider paid out what it held, not yet in a locked month. */
export async function loadOnlinePayouts(db: Db, { companyId, id }: Entity): Promise<OnlinePayoutFact[]> {
  const { rows } = await db.execute<Row>(sql`
    select l.id, l.amount as cents, l.charge as kept, l.booked_on::text as day,
           coalesce(nullif(l.reference, ''), left(l.id::text, 8)) as ref, left(l.label, 80) as label
      from bank_lines l join bank_accounts a on a.company_id = l.company_id and a.id = l.account_id
     where l.company_id = ${companyId} and a.owner_id = ${id} and l.status = 'posted' and l.online_account_id is not null
       and not exists (select 1 from book_entries e where e.company_id = l.company_id and e.seller_id = ${id}
             and e.source = 'online-payout:' || l.id)
     order by l.booked_on, l.id`)
  return rows.map((row) => ({ ...row, cents: Number(row.cents), kept: Number(row.kept) }))
}
