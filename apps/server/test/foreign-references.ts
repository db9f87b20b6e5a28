import { eq } from 'drizzle-orm'
import {
  bankAccounts,
  connections,
  files,
  flowDeliveries,
  retentionRuns,
  ssoConnections,
  syncErrors,
  syncSettings,
  ticketFiles,
  webhookDeliveries,
} from '../src/db/schema/index.ts'
import { createRetentionPreview } from '../src/features/admin/retention/index.ts'
import { makeParamsForPath, type Owner, SECRET } from './access-makers.ts'
import { makeTicket } from './access-relationship.ts'
import type { TestServer } from './client.ts'
import { makeUser } from './factories.ts'
import { makeBuyerGroup, makeIssuedInvoice, makeSeller } from './factories-billing.ts'
import { makeKey, makeOperation, makeParticipant, makeParticipation, makePoint } from './factories-energy.ts'
import { issueMonthDocuments, makeMonthFixture, withoutSubscribers } from './factories-invoices.ts'
import { makePriceIndex, makeTariff, makeTariffDiscount, makeTariffFee } from './factories-tariffs.ts'

const requireRow = <T>([row]: T[]): T => {
  if (!row) throw new Error('nothing was inserted')
  return row
}

/** An operation with a home, a plant and their holders, and a person without any. */
async function makeOperationRows({ db }: TestServer, { companyId }: Owner, name: string) {
  const { id: operation } = await makeOperation(db, { companyId, name, status: 'active' })
  const { id: participant } = await makeParticipant(db, { companyId, name, email: 'un@exemple.fr' })
  const { id: producer } = await makeParticipant(db, { companyId, name })
  const { id: newcomer } = await makeParticipant(db, { companyId, name })
  const { id: point } = await makePoint(db, { companyId, label: name })
  const { id: roof } = await makePoint(db, { companyId, label: name, direction: 'production' })
  const place = { companyId, operationId: operation }
  const { id: stay } = await makeParticipation(db, { ...place, participantId: participant, pointId: point })
  await makeParticipation(db, { ...place, participantId: producer, pointId: roof })
  const { id: key } = await makeKey(db, place)
  return { operation, participant, producer, newcomer, point, roof, stay, key }
}

type OperationRows = Awaited<ReturnType<typeof makeOperationRows>>

/** An issued month of its own operation, a credit of its buyer, and tariff objects. */
async function makeMoneyRows(
  { db }: TestServer,
  { companyId }: Owner,
  { operation: operationId }: OperationRows,
  name: string,
) {
  const prefix = `S${crypto.randomUUID().slice(0, 8).toUpperCase()}-`
  const month = await makeMonthFixture(db, { companyId, members: 1, prefix })
  const { ids } = await issueMonthDocuments(withoutSubscribers(db), month)
  const { id: sellerId } = month.seller
  const buyer = month.people[0]?.participant.id ?? ''
  const credit = { kind: 'creditNote', buyerId: buyer }
  const other = await makeSeller(db, { companyId })
  const bank = { companyId, ownerId: sellerId, name, ics: 'FR72ZZZ123456' }
  const priced = { companyId, operationId, label: name }
  return {
    seller: sellerId,
    buyer,
    invoice: ids[0] ?? '',
    creditNote: (await makeIssuedInvoice(db, { companyId, sellerId: other.id, ...credit })).id,
    account: requireRow(await db.insert(bankAccounts).values(bank).returning()).id,
    group: (await makeBuyerGroup(db, { companyId })).id,
    index: (await makePriceIndex(db, { companyId, source: name })).id,
    tariff: (await makeTariff(db, priced)).id,
    fee: (await makeTariffFee(db, { ...priced, sellerId })).id,
    discount: (await makeTariffDiscount(db, priced)).id,
  }
}

/** Objects made by the access test factories, by the path that names them. */
const PATH_BY_KIND = {
  role: '/api/roles/:id',
  template: '/api/reports/templates/:id',
  schedule: '/api/reports/schedules/:id',
  webhook: '/api/webhooks/:id',
  feed: '/api/connections/:id',
  flowRule: '/api/flows/rules/:id',
  credential: '/api/enedis/credentials/:id',
  project: '/api/projects/:id',
  curveImport: '/api/curve-imports/:id',
  line: '/api/bank-lines/:id',
  sso: '/api/sso/connections/:id',
  document: '/api/documents/:id',
} as const
type PathKind = keyof typeof PATH_BY_KIND

async function makeRowsByPath(server: TestServer, owner: Owner) {
  const made = new Map<string, string>()
  for (const [kind, path] of Object.entries(PATH_BY_KIND))
    made.set(kind, String((await makeParamsForPath(server, path, owner)).id))
  return Object.fromEntries(made) as Record<PathKind, string> // of each row
}

/** A failed webhook delivery, a connection, and open tickets. */
async function makeDeliveriesAndTickets(
  { db, deps }: TestServer,
  owner: Owner,
  { webhook, flowRule }: Record<PathKind, string>,
) {
  const { companyId, id: makerId } = owner
  const drop = crypto.randomUUID()
  const settings = deps.secrets.seal('{}', `connection ${companyId} ${drop}`)
  const about = { kind: 'sftp', name: SECRET, settings, state: 'paused', makerId }
  await db.insert(connections).values({ companyId, id: drop, ...about })
  const sent = { companyId, event: 'operation.created', payload: {}, status: 'failed' }
  const now = new Date()
  const fault = { companyId, code: 'STM-ERR-0000008', nature: 'data', fault: {}, subject: SECRET }
  const [fileId, ticket, other, own] = [
    await makeFileId({ db, deps }, companyId),
    await makeTicket({ db }, owner, { subject: SECRET }),
    await makeTicket({ db }, owner, { subject: SECRET }),
    await makeTicket({ db }, owner, { subject: SECRET, desk: 'keeper' }),
  ]
  return {
    drop,
    delivery: requireRow(
      await db
        .insert(webhookDeliveries)
        .values({ ...sent, webhookId: webhook })
        .returning(),
    ).id,
    flowDelivery: requireRow(
      await db
        .insert(flowDeliveries)
        .values({ ...sent, ruleId: flowRule, seq: 1, occurredAt: now })
        .returning(),
    ).id,
    syncError: requireRow(
      await db
        .insert(syncErrors)
        .values({ ...fault, firstAt: now, lastAt: now })
        .returning(),
    ).id,
    attachment: requireRow(await db.insert(ticketFiles).values({ companyId, fileId, addedBy: makerId }).returning()).id,
    ticket: ticket.id,
    otherTicket: other.id,
    ownTicket: own.id,
  }
}

async function makeFileId({ db, deps }: Pick<TestServer, 'db' | 'deps'>, companyId: number) {
  const sha256 = `y${crypto.randomUUID().replaceAll('-', '')}`
  await deps.files.put(`${companyId}/${sha256}`, Buffer.from('y'), 'text/csv')
  const row = { companyId, name: SECRET, mediaType: 'text/csv', size: 1, sha256 }
  return requireRow(await db.insert(files).values(row).returning()).id
}

async function makeRetentionPreviewId({ db }: TestServer, companyId: number) {
  await createRetentionPreview(db, companyId)
  return requireRow(await db.select().from(retentionRuns).where(eq(retentionRuns.companyId, companyId))).id
}

/** One object of each kind that a body may name, all of one company. */
export async function makeReferencedRows(server: TestServer, owner: Owner, name: string) {
  const place = await makeOperationRows(server, owner, name)
  const elsewhere = await makeRowsByPath(server, owner)
  const { id: user } = await makeUser(server.db, { companyId: owner.companyId })
  // Scheduled synchronisation would look like an effect of the call.
  await server.db.insert(syncSettings).values({ companyId: owner.companyId, enabled: false })
  await server.db.update(ssoConnections).set({ activatedAt: new Date() }).where(eq(ssoConnections.id, elsewhere.sso))
  return {
    ...place,
    ...elsewhere,
    ...(await makeMoneyRows(server, owner, place, name)),
    ...(await makeDeliveriesAndTickets(server, owner, elsewhere)),
    user,
    retentionPreview: await makeRetentionPreviewId(server, owner.companyId),
  }
}

export type ReferencedIds = Awaited<ReturnType<typeof makeReferencedRows>>
type ReferenceKind = keyof ReferencedIds

export type ForeignBody = { params?: Record<string, string>; body: unknown; own?: number | null }

/** A placeholder for the id of such an object. */
export const refTo = (kind: ReferenceKind) => `‹${kind}›`
const REF_PATTERN = /‹(\w+)›/g

/** The row with its placeholders filled with own ids, except the one at index `foreign`. */
export function fillRefs(
  body: unknown,
  own: ReferencedIds,
  theirs: ReferencedIds,
  foreign = -1,
): { body: unknown; sent: string } {
  let at = 0
  let sent = ''
  const text = JSON.stringify(body).replace(REF_PATTERN, (_, kind: ReferenceKind) => {
    if (at++ !== foreign) return own[kind]
    sent = theirs[kind]
    return sent
  })
  return { body: JSON.parse(text), sent }
}

export const countRefs = (body: unknown) => JSON.stringify(body).match(REF_PATTERN)?.length ?? 0

/** Paths of the placeholders in a row: `shares.pointId` whatever the index in the list. */
export function listRefPaths(value: unknown, path = ''): string[] {
  if (typeof value === 'string') return value.match(/^‹\w+›$/) ? [path] : []
  if (Array.isArray(value)) return value.flatMap((one) => listRefPaths(one, path))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => listRefPaths(one, path ? `${path}.${key}` : key))
}

/** The parts of a zod schema that are traversed. */
type SchemaNode = { _zod: { def: SchemaDefinition } }
type SchemaDefinition = {
  type: string
  format?: string
  shape?: Record<string, SchemaNode>
  element?: SchemaNode
  innerType?: SchemaNode
  options?: SchemaNode[]
  in?: SchemaNode
  valueType?: SchemaNode
}

/** Paths of ids in the schema of a body, in the same notation. */
export function listUuidPaths(schema: unknown, path = ''): string[] {
  const { def } = (schema as SchemaNode)._zod // each schema of the contract is one
  const { shape, element, innerType, options, in: before, valueType } = def
  if (def.type === 'string') return def.format === 'uuid' ? [path] : []
  const parts = [element, innerType, before, valueType, ...(options ?? [])].flatMap((one) => one ?? [])
  const fields = Object.entries(shape ?? {})
  return [
    ...fields.flatMap(([key, one]) => listUuidPaths(one, path ? `${path}.${key}` : key)),
    ...parts.flatMap((one) => listUuidPaths(one, path)),
  ]
}
