import type { Buyer } from '@voisol/contract/buyers'
import { participants as sheets } from '@voisol/contract/participants'
import { parties } from '@voisol/contract/parties'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeBuyerGroup, makeProducer, makeSeller } from '../../../../test/factories-billing.ts'
import { makeOperation, makeParticipant, makeParticipation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { buyers, type participants, tariffs } from '../../../db/schema/index.ts'
import { loadBuyers, loadOperationTerms } from './index.ts'

const server = useServer()
type User = Awaited<ReturnType<typeof makeUser>>
const BUYER_UPDATE = {
  kind: 'person',
  legalName: '',
  jointHolders: [],
  siret: '',
  vatNumber: '',
  serviceCode: '',
  engagement: '',
  address: '',
  postalCode: '',
  city: '',
  country: 'FR',
  email: '',
  delivery: 'mail',
  groupId: null,
  acciseClass: '',
  version: 0,
}
const PLACE = { address: '3 impasse du Four', postalCode: '38200', city: 'Vienne' }
const save = (who: User, id: string, change: object) =>
  call(server, parties.saveBuyer, { params: { id }, body: { ...BUYER_UPDATE, ...change } }, who)
const list = async (who: User, query: Record<string, string> = {}) =>
  (await call(server, parties.buyers, { query }, who)).body as { items: Buyer[]; total: number }
const refusal = ({ status, body }: Awaited<ReturnType<typeof call>>) => [status, body.issues?.[0]?.path ?? body.code]

async function makeNeighbour(user: User, more: Partial<typeof participants.$inferInsert> = {}) {
  const { companyId } = user
  const { id: operationId } = await makeOperation(server.db, { companyId })
  const { id } = await makeParticipant(server.db, { companyId, ...PLACE, ...more })
  await makeParticipation(server.db, { companyId, operationId, participantId: id })
  return id
}

test('takes a buyer from its participant by default, and a separate address as a whole', async () => {
  const user = await makeUser(server.db)
  const id = await makeNeighbour(user, { name: 'Ana Léger', email: 'ana@exemple.fr' })
  const read = async () => (await loadBuyers(server.db, user.companyId, [id])).get(id)
  expect(await read()).toMatchObject({ kind: 'person', name: 'Ana Léger', ...PLACE, email: 'ana@exemple.fr' })
  const other = { address: '9 quai Riondet', postalCode: '38200', city: 'Vienne' }
  const { body } = await save(user, id, { legalName: 'Ana et Lou Léger', jointHolders: ['Lou Léger'], ...other })
  expect(body).toMatchObject({ version: 1, sheetName: 'Ana Léger', printedAddress: '9 quai Riondet, 38200 Vienne' })
  expect(await read()).toMatchObject({ name: 'Ana et Lou Léger', jointHolders: ['Lou Léger'], ...other })
  expect((await save(user, id, {})).body.code).toBe('stale')
  expect((await save(user, id, { version: 1 })).body).toMatchObject({ version: 2, name: 'Ana Léger' })
})

test('tells the second of two simultaneous first saves about the conflict', async () => {
  const user = await makeUser(server.db)
  const id = await makeNeighbour(user)
  const answers = await Promise.all(['A', 'B', 'C'].map((legalName) => save(user, id, { legalName })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
})

test('refuses contradictory billing details at their field', async () => {
  const user = await makeUser(server.db)
  const id = await makeNeighbour(user, { kind: 'organisation', siren: '552081317' })
  const of = async (change: object) => refusal(await save(user, id, change))
  expect(await of({ kind: 'company', siret: '13002526500013' })).toEqual([422, 'siret'])
  expect(await of({ kind: 'company', siret: '55208131766523' })).toEqual([422, 'siret'])
  expect(await of({ kind: 'company', jointHolders: ['Lou'] })).toEqual([422, 'jointHolders'])
  expect(await of({ kind: 'company', delivery: 'chorus' })).toEqual([422, 'delivery'])
  expect(await of({ kind: 'public', delivery: 'chorus' })).toEqual([422, 'siret'])
  expect(await of({ city: 'Vienne' })).toEqual([422, 'address'])
  expect(await of({ address: '3 impasse du Four' })).toEqual([422, 'address'])
  expect(await of({ acciseClass: 'électro-intensif' })).toEqual([422, 'acciseClass'])
  expect(await of({ kind: 'company', siret: '55208131766522', acciseClass: 'PME' })).toEqual([200, undefined])
})

test('lists consumers by name, kind, group and missing details', async () => {
  const user = await makeUser(server.db)
  const group = await makeBuyerGroup(server.db, user, 'Tarif social')
  const whole = await makeNeighbour(user, { name: 'Éva Blanc' })
  await makeNeighbour(user, { name: 'Omar Sans-Adresse', address: '' })
  await makeNeighbour(user, { name: 'Léo Sans-Ville', city: '' })
  const firm = await makeNeighbour(user, { name: 'Boulangerie', kind: 'organisation' })
  const town = await makeNeighbour(user, { name: 'Mairie', kind: 'organisation', siren: '130025265' })
  await save(user, town, { kind: 'public' })
  await save(user, whole, { groupId: group.id })
  await makeProducer(server.db, user)
  const names = async (query: Record<string, string> = {}) => (await list(user, query)).items.map(({ name }) => name)
  expect(await names()).toEqual(['Boulangerie', 'Éva Blanc', 'Léo Sans-Ville', 'Mairie', 'Omar Sans-Adresse'])
  expect(await names({ q: 'eva' })).toEqual(['Éva Blanc'])
  expect(await names({ kind: 'public' })).toEqual(['Mairie'])
  expect(await names({ groupId: group.id })).toEqual(['Éva Blanc'])
  // The SQL filter and the function must find the same buyers.
  const every = (await list(user)).items
  expect(await names({ missing: 'true' })).toEqual(every.filter(({ issues }) => issues.length).map(({ name }) => name))
  expect(await names({ missing: 'true' })).toEqual(['Boulangerie', 'Léo Sans-Ville', 'Mairie', 'Omar Sans-Adresse'])
  await save(user, firm, { kind: 'company', siret: '55208131766522' })
  await save(user, town, { kind: 'public', siret: '13002526500013', version: 1 })
  expect(await names({ missing: 'true' })).toEqual(['Léo Sans-Ville', 'Omar Sans-Adresse'])
  expect((await list(user, { size: '2', page: '2' })).total).toBe(5)
})

test('hides participants, groups and sellers of another company', async () => {
  const [user, stranger] = [await makeUser(server.db), await makeUser(server.db)]
  const [id, theirs] = [await makeNeighbour(user), await makeNeighbour(stranger)]
  const group = await makeBuyerGroup(server.db, stranger)
  expect((await save(user, theirs, {})).status).toBe(404)
  expect((await call(server, parties.buyer, { params: { id: theirs } }, user)).status).toBe(404)
  expect(refusal(await save(user, id, { groupId: group.id }))).toEqual([404, 'groupId'])
  expect((await list(user)).items.map((buyer) => buyer.id)).toEqual([id])
  const { id: organiserId } = await makeSeller(server.db, { companyId: stranger.companyId })
  const operation = await makeOperation(server.db, { companyId: user.companyId })
  const body = {
    patrimonial: false,
    monthsPerInvoice: 1,
    organiserId,
    supplierPrice: null,
    surplusPrice: null,
    version: 0,
  }
  const answer = await call(server, parties.saveTerms, { params: { id: operation.id }, body }, user)
  expect(refusal(answer)).toEqual([404, 'organiserId'])
})

test('keeps group names unique, and deletes a group only when no buyer or price uses it', async () => {
  const user = await makeUser(server.db)
  const { companyId } = user
  const add = (name: string) => call(server, parties.addGroup, { body: { name } }, user)
  const { body: group } = await add('Tarif social')
  expect(refusal(await add('tarif SOCIAL'))).toEqual([409, 'name'])
  const remove = () => call(server, parties.removeGroup, { params: { id: group.id } }, user)
  const id = await makeNeighbour(user)
  await save(user, id, { groupId: group.id })
  expect((await call(server, parties.groups, {}, user)).body.items).toMatchObject([
    { name: 'Tarif social', members: 1 },
  ])
  expect((await remove()).body.message).toContain('encore 1 acheteur')
  await save(user, id, { groupId: null, version: 1 })
  const { id: operationId } = await makeOperation(server.db, { companyId })
  const rules = [{ id: 'social', label: '', price: 0, group: group.id }]
  await server.db
    .insert(tariffs)
    .values({ companyId, operationId, number: 1, status: 'draft', startsOn: '2026-01-01', rules })
  expect((await remove()).body.message).toContain('un tarif')
  await server.db.delete(tariffs).where(eq(tariffs.companyId, companyId))
  const renamed = await call(
    server,
    parties.updateGroup,
    { params: { id: group.id }, body: { name: 'Social', note: '', version: 1 } },
    user,
  )
  expect(renamed.body).toMatchObject({ name: 'Social', version: 2 })
  expect((await remove()).status).toBe(200)
})

test('bills an operation monthly until another setting is saved', async () => {
  const user = await makeUser(server.db)
  const { companyId } = user
  const { id } = await makeOperation(server.db, { companyId })
  const { id: organiserId } = await makeSeller(server.db, { companyId })
  const read = async () => (await call(server, parties.terms, { params: { id } }, user)).body
  expect(await read()).toMatchObject({ patrimonial: false, monthsPerInvoice: 1, version: 0 })
  const body = {
    patrimonial: true,
    monthsPerInvoice: 3,
    organiserId,
    supplierPrice: 1973,
    surplusPrice: 536,
    version: 0,
  }
  const put = (change: object = {}) =>
    call(server, parties.saveTerms, { params: { id }, body: { ...body, ...change } }, user)
  expect((await put({ monthsPerInvoice: 4 })).status).toBe(422)
  expect((await put()).body).toEqual({ ...body, version: 1 })
  expect((await put()).body.code).toBe('stale')
  expect(await loadOperationTerms(server.db, companyId, id)).toMatchObject({ monthsPerInvoice: 3, organiserId })
})

test('deletes billing details with a participant, and keeps one that is a seller', async () => {
  const user = await makeUser(server.db)
  const { companyId } = user
  const { id } = await makeParticipant(server.db, { companyId })
  await save(user, id, { legalName: 'Ana' })
  const remove = (who: string) => call(server, sheets.remove, { params: { id: who } }, user)
  expect((await remove(id)).status).toBe(200)
  expect(
    await server.db
      .select()
      .from(buyers)
      .where(and(eq(buyers.companyId, companyId))),
  ).toEqual([])
  const { id: roof } = await makeParticipant(server.db, { companyId })
  await makeSeller(server.db, { companyId, participantId: roof })
  expect((await remove(roof)).body.message).toContain('vendeur')
})
