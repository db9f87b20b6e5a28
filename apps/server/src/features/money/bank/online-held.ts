import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { BankLineRow } from './find.ts'

/**
 * What a payment provider holds for the owner of a bank account: its payments in order, and what it already paid out.
 */
export type ProviderBalance = { accountId: string; payments: { day: string; cents: number }[]; out: number }

type Row = { id: string; payments: { day: string; cents: number }[] | null; out: string }

/**
 * Payments received and refunded through each provider of the account's owner, and the total its bank lines have paid
 * out.
 */
export async function loadProviderBalances(db: Db, companyId: number, accountId: string): Promise<ProviderBalance[]> {
  const { rows } = await db.execute<Row>(sql`
    select o.id,
           (select json_agg(json_build_object('day', p.booked_on, 'cents',
                     case when p.kind in ('receipt') then p.amount else -p.amount end) order by p.booked_on, p.created_at, p.id)
              from payments p where p.company_id = o.company_id and p.account_id = o.id) as payments,
           (select coalesce(sum(l.amount + l.charge), 0) from bank_lines l
             where l.company_id = o.company_id and l.online_account_id = o.id and l.status = 'posted') as out
      from bank_accounts a join bank_accounts o on o.company_id = a.company_id and o.owner_id = a.owner_id and o.kind = 'online'
     where a.company_id = ${companyId} and a.id = ${accountId}
     order by o.created_at, o.id`)
  return rows.map(({ id, payments, out }) => ({ accountId: id, payments: payments ?? [], out: Number(out) }))
}

export type MatchedProviderPayout = { onlineAccountId: string; payments: number; kept: number }

/** Providers keep a percentage of each payment and a few cents; a larger difference is not a fee. */
const MAX_FEE_PERCENT = 6
const MAX_FIXED_FEE_CENTS = 50

/** How many of the oldest payments held by the provider this line pays out, and the fee that was kept. */
function matchProviderPayout(
  line: Pick<BankLineRow, 'amount' | 'bookedOn'>,
  { accountId, payments, out }: ProviderBalance,
): MatchedProviderPayout | null {
  let [sum, since] = [-out, 0]
  for (const { day, cents } of payments) {
    if (day > line.bookedOn) return null
    sum += cents
    // Payments that were paid out before this line do not count.
    since = sum > 0 ? since + 1 : 0
    if (sum < line.amount) continue
    const fee = sum - line.amount
    return fee * 100 <= sum * MAX_FEE_PERCENT + since * MAX_FIXED_FEE_CENTS * 100
      ? { onlineAccountId: accountId, payments: since, kept: fee }
      : null
  }
  return null
}

/** The provider's payout that a bank line matches, or null if the amounts do not add up. */
export function findProviderPayout(
  line: BankLineRow,
  balances: readonly ProviderBalance[],
): MatchedProviderPayout | null {
  if (!/stripe/i.test(`${line.party} ${line.label} ${line.reference}`) || line.charge > 0) return null
  return balances.map((one) => matchProviderPayout(line, one)).find((one) => one !== null) ?? null
}
