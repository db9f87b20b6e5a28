import type { Buyer, BuyerQuery } from '@voisol/contract/buyers'
import { and, count, eq, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list.ts'
import { buyerGroups, buyers, participants } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { toBuyerRow } from './buyers.ts'
import { checkBuyer } from './issues.ts'

type Query = z.output<typeof BuyerQuery>
type ParticipantRow = typeof participants.$inferSelect
type BillingIdentityRow = typeof buyers.$inferSelect

/** Participants with a consumption point now or before, and those with billing details. */
const isBuyerSql = (companyId: number) => sql`(${buyers.participantId} is not null or exists (
  select 1 from participations s join points t on t.company_id = s.company_id and t.id = s.point_id
   where s.company_id = ${companyId} and s.participant_id = ${participants.id} and t.direction = 'consumption'))`

const buyerKindSql = sql`coalesce(${buyers.kind}, case when ${participants.kind} = 'person' then 'person' else 'company' end)`
const participantAddressIncompleteSql = sql`(${participants.address} = '' or ${participants.postalCode} = '' or ${participants.city} = '')`
/** The SQL equivalent of `checkBuyer`, for filtering in the database. */
const buyerIncompleteSql = sql`(case when coalesce(${buyers.address}, '') = '' then ${participantAddressIncompleteSql}
    else ${buyers.postalCode} = '' or ${buyers.city} = '' end
  or ${buyerKindSql} = 'public' and coalesce(${buyers.siret}, '') = ''
  or ${buyerKindSql} = 'company' and ${participants.siren} = '' and coalesce(${buyers.siret}, '') = '')`

const selectBuyers = (db: Db) =>
  db
    .select({ sheet: participants, own: buyers, groupName: buyerGroups.name })
    .from(participants)
    .leftJoin(buyers, and(eq(buyers.companyId, participants.companyId), eq(buyers.participantId, participants.id)))
    .leftJoin(buyerGroups, and(eq(buyerGroups.companyId, buyers.companyId), eq(buyerGroups.id, buyers.groupId)))

const toBillingIdentity = (own: BillingIdentityRow | null) => {
  const { legalName = '', address = '', postalCode = '', city = '', country = 'FR', email = '' } = own ?? {}
  return { legalName, address, postalCode, city, country, email, version: own?.version ?? 0 }
}

function toBuyer({
  sheet,
  own,
  groupName,
}: {
  sheet: ParticipantRow
  own: BillingIdentityRow | null
  groupName: string | null
}): Buyer {
  const printed = toBuyerRow(sheet, own)
  const { id, name, siren, siret, vatNumber, jointHolders, serviceCode, engagement } = printed
  const { delivery, groupId, acciseClass } = printed
  const town = `${printed.postalCode} ${printed.city}`.trim()
  return {
    id,
    sheetName: sheet.name,
    kind: printed.kind,
    ...toBillingIdentity(own),
    name,
    siren,
    siret,
    vatNumber,
    jointHolders,
    serviceCode,
    engagement,
    delivery,
    groupId,
    acciseClass,
    groupName: groupName ?? '',
    printedAddress: [printed.address, town].filter(Boolean).join(', '),
    issues: checkBuyer(printed),
  }
}

function buildBuyerFilter({ companyId }: Actor, query: Query): SQL | undefined {
  return and(
    eq(participants.companyId, companyId),
    isBuyerSql(companyId),
    matchesSearchWords(query.q, [
      participants.name,
      participants.email,
      participants.city,
      sql`coalesce(${buyers.legalName}, '')`,
    ]),
    query.kind && sql`${buyerKindSql} = ${query.kind}`,
    query.groupId ? eq(buyers.groupId, query.groupId) : undefined,
    query.missing && buyerIncompleteSql,
  )
}

export async function listBuyers(db: Db, actor: Actor, query: Query): Promise<{ items: Buyer[]; total: number }> {
  const where = buildBuyerFilter(actor, query)
  const { limit, offset } = toLimitOffset(query)
  const columns = { name: sql`fold(${participants.name})`, kind: buyerKindSql, city: participants.city }
  const rows = await selectBuyers(db)
    .where(where)
    .orderBy(buildOrderBy(query.sort, columns, 'name'), participants.id)
    .limit(limit)
    .offset(offset)
  const [all] = await db
    .select({ total: count() })
    .from(participants)
    .leftJoin(buyers, and(eq(buyers.companyId, participants.companyId), eq(buyers.participantId, participants.id)))
    .where(where)
  return { items: rows.map(toBuyer), total: all?.total ?? 0 }
}

export async function loadBuyer(db: Db, { companyId }: Actor, id: string): Promise<Buyer> {
  const [row] = await selectBuyers(db).where(and(eq(participants.companyId, companyId), eq(participants.id, id)))
  if (!row) throw new AppError('not-found')
  return toBuyer(row)
}
