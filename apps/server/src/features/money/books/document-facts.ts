import type { DocumentFact } from '@voisol/money/accounts/book-sales'
import type { IssuedKind } from '@voisol/money/document'
import type { VatGroup } from '@voisol/money/vat'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { Entity, PartyFinder } from './entity.ts'

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
