import type { Buyer, BuyerGroup, BuyerQuery, BuyerUpdate, GroupUpdate, NewBuyerGroup } from '@voisol/contract/buyers'
import { and, asc, count, eq, ne, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { lockCompany } from '../../../core/company-state.ts'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list-query.ts'
import { buyerGroups, buyers, participants, tariffFees, tariffs } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { getToday } from '../../../today.ts'
import { loadSettingsOn } from '../settings/index.ts'
import { toBuyerRow } from './load-parties.ts'
import { checkBuyer } from './party-issues.ts'

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

type SaveBuyerInput = z.output<typeof BuyerUpdate>

async function requireBuyerGroup(tx: Db, { companyId }: Actor, groupId: string) {
  const [group] = await tx
    .select({ id: buyerGroups.id })
    .from(buyerGroups)
    .where(and(eq(buyerGroups.companyId, companyId), eq(buyerGroups.id, groupId)))
  if (!group) throw fieldError('groupId', 'Ce groupe n’existe pas dans votre organisation.', 'not-found')
}

async function requireAcciseClass(tx: Db, { companyId }: Actor, name: string) {
  const rates = (await loadSettingsOn(tx, companyId, getToday()))['accise.rates'].value
  if (rates.some((rate) => rate.class === name)) return
  const known = rates.map((rate) => rate.class).join(', ')
  throw fieldError('acciseClass', `Cette classe n’a pas de tarif d’accise\u00a0: ${known} sont connues.`)
}

/** A SIRET starts with the SIREN of the participant. */
function requireSiretOfSiren(participant: typeof participants.$inferSelect, { siret }: SaveBuyerInput) {
  if (siret && participant.siren && !siret.startsWith(participant.siren))
    throw fieldError(
      'siret',
      `Ce SIRET n’est pas celui du SIREN ${participant.siren} de la fiche\u00a0: ses neuf premiers chiffres en diffèrent.`,
    )
}

/** Saves billing details, for the first time or again; the participant itself is unchanged. */
export async function saveBuyer(tx: Db, actor: Actor, id: string, input: SaveBuyerInput) {
  const { companyId } = actor
  const [participant] = await tx
    .select()
    .from(participants)
    .where(and(eq(participants.companyId, companyId), eq(participants.id, id)))
    .for('update')
  if (!participant) throw new AppError('not-found')
  const before = await loadBuyer(tx, actor, id)
  requireCurrentVersion(before, input)
  requireSiretOfSiren(participant, input)
  if (input.groupId !== null) await requireBuyerGroup(tx, actor, input.groupId)
  if (input.acciseClass && input.acciseClass !== before.acciseClass)
    await requireAcciseClass(tx, actor, input.acciseClass)
  const values = { ...input, version: before.version + 1 }
  await tx
    .insert(buyers)
    .values({ ...values, companyId, participantId: id })
    .onConflictDoUpdate({ target: [buyers.companyId, buyers.participantId], set: values })
  return { before, after: await loadBuyer(tx, actor, id) }
}

const whereGroup = ({ companyId }: Actor, id: string) =>
  and(eq(buyerGroups.companyId, companyId), eq(buyerGroups.id, id))

export function listBuyerGroups(db: Db, { companyId }: Actor): Promise<BuyerGroup[]> {
  return db
    .select({
      id: buyerGroups.id,
      name: buyerGroups.name,
      note: buyerGroups.note,
      members: count(buyers.participantId),
      version: buyerGroups.version,
    })
    .from(buyerGroups)
    .leftJoin(buyers, and(eq(buyers.companyId, buyerGroups.companyId), eq(buyers.groupId, buyerGroups.id)))
    .where(eq(buyerGroups.companyId, companyId))
    .groupBy(buyerGroups.companyId, buyerGroups.id)
    .orderBy(asc(sql`fold(${buyerGroups.name})`))
}

async function loadBuyerGroup(db: Db, actor: Actor, id: string): Promise<BuyerGroup> {
  const group = (await listBuyerGroups(db, actor)).find((row) => row.id === id)
  if (!group) throw new AppError('not-found')
  return group
}

async function requireFreeName(tx: Db, { companyId }: Actor, name: string, exceptId?: string) {
  const [same] = await tx
    .select({ id: buyerGroups.id })
    .from(buyerGroups)
    .where(
      and(
        eq(buyerGroups.companyId, companyId),
        sql`fold(${buyerGroups.name}) = fold(${name})`,
        exceptId ? ne(buyerGroups.id, exceptId) : undefined,
      ),
    )
  if (same) throw fieldError('name', `Un groupe se nomme déjà «\u00a0${name}\u00a0».`, 'conflict')
}

export async function addBuyerGroup(tx: Db, actor: Actor, input: z.output<typeof NewBuyerGroup>): Promise<BuyerGroup> {
  await lockCompany(tx, actor.companyId)
  await requireFreeName(tx, actor, input.name)
  const [row] = await tx
    .insert(buyerGroups)
    .values({ ...input, companyId: actor.companyId })
    .returning({ id: buyerGroups.id })
  return loadBuyerGroup(tx, actor, row?.id ?? '')
}

export async function updateBuyerGroup(tx: Db, actor: Actor, id: string, input: z.output<typeof GroupUpdate>) {
  await lockCompany(tx, actor.companyId)
  const before = await loadBuyerGroup(tx, actor, id)
  requireCurrentVersion(before, input)
  await requireFreeName(tx, actor, input.name, id)
  await tx
    .update(buyerGroups)
    .set({ ...input, version: before.version + 1 })
    .where(whereGroup(actor, id))
  return { before, after: await loadBuyerGroup(tx, actor, id) }
}

/** Deleting a group that a price names would silently remove the price of its members. */
async function isGroupUsedByPrices(tx: Db, { companyId }: Actor, id: string): Promise<boolean> {
  const ofRules = await tx
    .select({ id: tariffs.id })
    .from(tariffs)
    .where(and(eq(tariffs.companyId, companyId), sql`${tariffs.rules} @> ${JSON.stringify([{ group: id }])}::jsonb`))
    .limit(1)
  const ofFees = await tx
    .select({ id: tariffFees.id })
    .from(tariffFees)
    .where(and(eq(tariffFees.companyId, companyId), eq(tariffFees.groupId, id)))
    .limit(1)
  return ofRules.length + ofFees.length > 0
}

export async function removeBuyerGroup(tx: Db, actor: Actor, id: string): Promise<BuyerGroup> {
  await lockCompany(tx, actor.companyId)
  const group = await loadBuyerGroup(tx, actor, id)
  const refuse = (why: string) =>
    new AppError('conflict', { message: `«\u00a0${group.name}\u00a0» ne peut pas être supprimé\u00a0: ${why}.` })
  if (group.members) throw refuse(`il compte encore ${group.members} ${group.members > 1 ? 'acheteurs' : 'acheteur'}`)
  if (await isGroupUsedByPrices(tx, actor, id)) throw refuse('un tarif ou des frais le nomment')
  await tx.delete(buyerGroups).where(whereGroup(actor, id))
  return group
}
