import type { PayoutFact } from '@voisol/money/accounts/book-bank'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { Entity, PartyFinder } from './entity.ts'

type Row = { id: string; seller_id: string; owner_id: string; cents: string; day: string; ref: string }

/** Payouts to producers from the entity's accounts, or to the entity from another's, not yet in a locked month. */
export async function loadPayoutFacts(
  db: Db,
  { companyId, id }: Entity,
  direction: 'payout' | 'payout-in',
  parties: PartyFinder,
): Promise<PayoutFact[]> {
  const own = direction === 'payout' ? sql`a.owner_id = ${id}` : sql`p.seller_id = ${id}`
  const { rows } = await db.execute<Row>(sql`
    select p.id, p.seller_id, a.owner_id, p.amount as cents, p.paid_on::text as day, p.end_to_end_id as ref
      from payouts p join bank_accounts a on a.company_id = p.company_id and a.id = p.account_id
     where p.company_id = ${companyId} and ${own} and p.status = 'paid' and p.amount > 0
       and not exists (select 1 from book_entries e where e.company_id = p.company_id and e.seller_id = ${id}
             and e.source = ${`${direction}:`}::text || p.id)
     order by p.paid_on, p.id`)
  return rows.map((row) => ({
    id: row.id,
    cents: Number(row.cents),
    day: row.day,
    ref: row.ref,
    producer: parties.seller(row.seller_id),
    payer: parties.seller(row.owner_id),
  }))
}
