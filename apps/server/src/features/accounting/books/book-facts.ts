import type {
  DocumentFact,
  MoneyFact,
  MoneyKind,
  OnlinePayoutFact,
  UsedAdvance,
} from '@voisol/money/accounts/build-entries'
import type { IssuedKind } from '@voisol/money/document'
import type { VatGroup } from '@voisol/money/document-lines'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { Entity, PartyFinder } from './book-entity.ts'

type DocumentFactRow = {
  id: string
  number: string
  kind: IssuedKind
  issued: string
  from: string
  to: string
  operation_id: string | null
  buyer_id: string | null
  client_id: string | null
  buyer_kind: string
  gross: string
  wh: string
  energy: string
  fees: string
  accise: string
  allowed: string
  services: boolean
  vat: VatGroup[]
}
export type SoldFact = DocumentFact & {
  from: string
  operationId: string | null
  wh: number
  person: boolean
  services: boolean
}

const sumLinesSql = (kinds: string) =>
  sql.raw(`(
  select coalesce(sum((line ->> 'net')::bigint), 0) from jsonb_array_elements(i.snapshot -> 'lines') line
   where line ->> 'kind' in (${kinds}))`)

function toSoldFact(row: DocumentFactRow, parties: PartyFinder): SoldFact {
  return {
    id: row.id,
    number: row.number,
    kind: row.kind,
    issued: row.issued,
    from: row.from,
    to: row.to,
    operationId: row.operation_id,
    wh: Number(row.wh),
    person: row.buyer_kind === 'person',
    services: row.services,
    buyer: row.client_id ? parties.seller(row.client_id) : parties.customer(row.buyer_id ?? ''),
    lines: [
      { kind: 'energy', net: Number(row.energy) },
      { kind: 'fee', net: Number(row.fees) },
      { kind: 'accise', net: Number(row.accise) },
    ],
    allowances: [{ amount: Number(row.allowed) }],
    vat: row.vat,
    totals: { gross: Number(row.gross) },
  }
}

/** Documents issued in the entity's name with an amount due: all of them, or those no locked month holds yet. */
export async function loadDocumentFacts(db: Db, { companyId, id }: Entity, parties: PartyFinder, only: 'all' | 'open') {
  const unlocked = sql`and not exists (select 1 from book_entries e
    where e.company_id = i.company_id and e.seller_id = i.seller_id and e.source = 'invoice:' || i.id)`
  const { rows } = await db.execute<DocumentFactRow>(sql`
    select i.id, i.number, i.kind, i.issued_on::text as issued, i.from_day::text as "from", i.to_day::text as "to",
           i.operation_id, i.buyer_id, i.client_seller_id as client_id, i.snapshot #>> '{buyer,kind}' as buyer_kind,
           i.gross, i.wh, ${sumLinesSql("'energy'")} as energy, ${sumLinesSql("'fee', 'service'")} as fees,
           ${sumLinesSql("'accise'")} as accise, i.snapshot -> 'vat' as vat,
           not exists (select 1 from jsonb_array_elements(i.snapshot -> 'lines') line
                        where line ->> 'kind' in ('energy', 'accise')) as services,
           (select coalesce(sum((a ->> 'amount')::bigint), 0) from jsonb_array_elements(i.snapshot -> 'allowances') a) as allowed
      from invoices i
     where i.company_id = ${companyId} and i.seller_id = ${id} and i.kind <> 'statement'
           ${only === 'open' ? unlocked : sql``}
     order by i.issued_on, i.number`)
  return rows.map((row) => toSoldFact(row, parties))
}

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

type MoneyFactRow = {
  id: string
  seller_id: string
  buyer_id: string | null
  client_id: string | null
  kind: string
  method: string
  amount: string
  booked: string
  reverses_id: string | null
  original_kind: string | null
  original_method: string | null
  owner_id: string | null
  account_kind: string | null
  part: string
}

/**
 * The entry that moves a part of a payment between the advances and the documents it pays. It is the payment's own
 * entry when both were made together, the entry of the refund or reversal when the match came with that, and otherwise
 * an entry of its own. A match between a payment and its reversal moves nothing.
 */
const ADVANCE_MOVES_SQL = sql`
  select m.company_id, m.id, m.amount, m.matched_on, p.id as payment_id, p.seller_id, p.buyer_id, p.client_seller_id,
         coalesce(
           case when m.amount > 0 and m.created_at = p.created_at then p.id end,
           case when m.amount < 0 and m.created_at = r.created_at then r.id end,
           case when m.amount > 0 and d.kind = 'refund' and m.created_at = d.created_at then d.id end) as carrier
    from matches m
    join payments p on p.company_id = m.company_id and p.id = m.credit_payment_id
         and p.kind in ('receipt', 'openingCredit')
    left join payments r on r.company_id = p.company_id and r.reverses_id = p.id
    left join payments d on d.company_id = m.company_id and d.id = m.debit_payment_id
   where (r.id is null or m.debit_payment_id is distinct from r.id)`

const METHOD_CODES: Record<string, string> = {
  transfer: 'VIR',
  debit: 'PRLV',
  card: 'CB',
  onlineDebit: 'PRLV',
  cheque: 'CHQ',
  cash: 'ESP',
  setOff: 'COMP',
}
const buildReference = (method: string, id: string) => `${METHOD_CODES[method] ?? 'OD'}-${id.slice(0, 8).toUpperCase()}`

function getMoneyPlace(row: MoneyFactRow): MoneyFact['place'] {
  const method = row.original_method ?? row.method
  if (method === 'setOff') return 'setOff'
  if (row.account_kind === 'online') return 'online'
  return method === 'cash' && row.owner_id === null ? 'cash' : 'bank'
}

/** The part that is an advance: of a receipt what pays nothing yet, of a refund what gives such a part back. */
function computeAdvance(kind: string, { amount, part }: MoneyFactRow): number {
  const moved = Math.abs(Number(part))
  if (kind === 'refund') return moved
  return kind === 'receipt' || kind === 'openingCredit' ? Number(amount) - moved : 0
}

function toMoneyFact(row: MoneyFactRow, parties: PartyFinder, small: number): MoneyFact {
  const kind = row.original_kind ?? row.kind
  const back = row.reverses_id && (row.kind === 'return' || row.kind === 'undo')
  return {
    id: row.id,
    // The column only stores these values, and a return or undo refers to one of them.
    kind: kind as MoneyKind,
    cents: Number(row.amount),
    day: row.booked,
    ref: buildReference(row.original_method ?? row.method, row.id),
    customer: row.client_id ? parties.seller(row.client_id) : parties.customer(row.buyer_id ?? ''),
    place: getMoneyPlace(row),
    holder: row.owner_id !== null && row.owner_id !== row.seller_id ? parties.seller(row.owner_id) : null,
    advance: computeAdvance(kind, row),
    small,
    back: back ? { id: row.reverses_id ?? '', kind: row.kind === 'return' ? 'return' : 'undo' } : null,
  }
}

type BookSide = 'own' | 'held' | 'setOff'
/**
 * Whose books record the payment: the seller's, those of whoever holds the money, or those of the producer whose fees
 * were set off.
 */
const WHERE_BY_SIDE = {
  own: (id: string) => sql`p.seller_id = ${id}`,
  held: (id: string) => sql`a.owner_id = ${id} and p.seller_id <> ${id}`,
  setOff: (id: string) => sql`p.client_seller_id = ${id} and coalesce(o.method, p.method) = 'setOff'`,
}
const SOURCE_PREFIXES: Record<BookSide, string> = { own: 'payment:', held: 'held:', setOff: 'set-off:' }

type MoneyFactOfSeller = { fact: MoneyFact; sellerId: string }

/** Payments that no locked month of the entity holds yet. */
export async function loadMoneyFacts(
  db: Db,
  { companyId, id }: Entity,
  side: BookSide,
  { parties, small }: { parties: PartyFinder; small: number },
): Promise<MoneyFactOfSeller[]> {
  const { rows } = await db.execute<MoneyFactRow>(sql`
    with moves as (${ADVANCE_MOVES_SQL} and m.company_id = ${companyId}),
         -- Summed once: for each payment anew, they would be as many times as many.
         parts as materialized (select carrier, sum(amount) as part from moves where carrier is not null group by 1)
    select p.id, p.seller_id, p.buyer_id, p.client_seller_id as client_id, p.kind, p.method, p.amount,
           p.booked_on::text as booked, p.reverses_id, o.kind as original_kind, o.method as original_method,
           a.owner_id, a.kind as account_kind,
           coalesce(s.part, 0) as part
      from payments p
      left join payments o on o.company_id = p.company_id and o.id = p.reverses_id
      left join bank_accounts a on a.company_id = p.company_id and a.id = coalesce(p.account_id, o.account_id)
      left join parts s on s.carrier = p.id
     where p.company_id = ${companyId} and ${WHERE_BY_SIDE[side](id)}
       and not exists (select 1 from book_entries e where e.company_id = p.company_id and e.seller_id = ${id}
             and e.source = ${SOURCE_PREFIXES[side]}::text || p.id)
     order by p.booked_on, p.created_at, p.id`)
  return rows.map((row) => ({ fact: toMoneyFact(row, parties, small), sellerId: row.seller_id }))
}

/** Advances that paid a document after the day they were received. */
export async function loadUsedAdvances(
  db: Db,
  { companyId, id }: Entity,
  parties: PartyFinder,
): Promise<UsedAdvance[]> {
  const { rows } = await db.execute<{
    id: string
    payment_id: string
    buyer_id: string | null
    client_seller_id: string | null
    amount: string
    day: string
  }>(sql`
    with moves as (${ADVANCE_MOVES_SQL} and m.company_id = ${companyId})
    select v.id, v.payment_id, v.buyer_id, v.client_seller_id, v.amount, v.matched_on::text as day
      from moves v
     where v.seller_id = ${id} and v.carrier is null
       and not exists (select 1 from book_entries e where e.company_id = v.company_id and e.seller_id = ${id}
             and e.source = 'match:' || v.id)`)
  return rows.map((row) => ({
    id: row.id,
    paymentId: row.payment_id,
    cents: Number(row.amount),
    day: row.day,
    ref: buildReference('', row.id),
    customer: row.client_seller_id ? parties.seller(row.client_seller_id) : parties.customer(row.buyer_id ?? ''),
  }))
}
