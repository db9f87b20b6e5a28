import { books } from '@voisol/contract/books'
import { declarations } from '@voisol/contract/declarations'
import { extractPdfText } from '@voisol/documents/testing/pdf-text'
import { eq } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { issueMonthDocuments, makeMonthFixture } from '../../../../test/factories-invoices.ts'
import { listRecordedEvents } from '../../../../test/recorded-events.ts'
import { useServer } from '../../../../test/server.ts'
import { invoices } from '../../../db/schema/index.ts'

const server = useServer()
afterEach(() => vi.restoreAllMocks())
const itIs = (day: string) =>
  vi.spyOn(Temporal.Now, 'plainDateISO').mockImplementation(() => Temporal.PlainDate.from(day))

/** December supplied and issued in January; October supplied and issued in the year before. */
async function makeSoldMonths() {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const client = await makeUser(server.db, { companyId, role: 'client' })
  const world = await makeMonthFixture(server.db, { companyId, members: 2, month: '2025-10', userId: client.id })
  itIs('2025-11-04')
  await issueMonthDocuments(server.db, world)
  itIs('2026-01-06')
  await issueMonthDocuments(server.db, { ...world, input: { ...world.input, month: '2025-12' } })
  const documents = await server.db
    .select()
    .from(invoices)
    .where(eq(invoices.companyId, companyId))
    .orderBy(invoices.number)
  const auth = { token: admin.token }
  return { companyId, client, world, documents, auth, sellerId: world.seller.id }
}
const get = (url: string, token: string) => server.app.inject({ url, headers: { authorization: `Bearer ${token}` } })
type Vat = { month: string; tax: number }
const months = (rows: Vat[]) => rows.map(({ month }) => month)

test('matches VAT by month of issue with the accounts, and gives it by month of supply', async () => {
  const { auth, sellerId, documents } = await makeSoldMonths()
  const of = async (year: number) =>
    (await call(server, declarations.vat, { query: { sellerId, year } }, auth)).body as {
      issue: Vat[]
      supply: Vat[]
      tax: number
    }
  const [before, after] = [await of(2025), await of(2026)]
  expect([months(before.issue), months(before.supply)]).toEqual([['2025-11-01'], ['2025-10-01', '2025-12-01']])
  expect([months(after.issue), months(after.supply)]).toEqual([['2026-01-01'], []])
  const taxes = documents.filter(({ issuedOn }) => issuedOn.startsWith('2026')).reduce((sum, { tax }) => sum + tax, 0)
  expect(after.tax).toBe(taxes)
  const ties = (await call(server, books.ties, { params: { sellerId }, query: { year: 2026 } }, auth)).body.items
  expect(ties[0]).toMatchObject({ left: { cents: taxes }, right: { cents: taxes }, difference: 0 })
})

test('reports energy without accise to the watt-hour', async () => {
  const { auth, sellerId, documents } = await makeSoldMonths()
  const { body } = await call(server, declarations.accise, { query: { sellerId, year: 2025 } }, auth)
  expect(
    body.items.map(({ month, acciseClass }: { month: string; acciseClass: string | null }) => [month, acciseClass]),
  ).toEqual([
    ['2025-10-01', null],
    ['2025-12-01', null],
  ])
  expect([body.wh, body.cents]).toEqual([documents.reduce((sum, { wh }) => sum + wh, 0), 0])
})

test('exports sales to individuals as CSV and XML, and keeps the version when nothing changed', async () => {
  const { auth, sellerId, companyId } = await makeSoldMonths()
  const make = (format: 'csv' | 'xml') =>
    call(server, declarations.make, { body: { kind: 'eReporting', of: sellerId, year: 2026, month: 1, format } }, auth)
  const first = await make('csv')
  expect(first.body).toMatchObject({ already: false, item: { number: 1, from: '2026-01-01', to: '2026-02-01' } })
  expect((await make('csv')).body).toEqual({ item: first.body.item, already: true })
  const second = (await make('xml')).body
  expect([second.already, second.item.number]).toEqual([false, 2])
  const xml = (await get(`/api/declarations/${second.item.id}/file`, auth.token)).body
  expect(xml).toContain('<CategoryCode>TLB1</CategoryCode>')
  expect(xml).toContain('<TransactionsCount>2</TransactionsCount>')
  const csv = (await get(`/api/declarations/${first.body.item.id}/file`, auth.token)).body
  expect(csv).toContain('552081317;06/01/2026;TLB1;')
  const told = await listRecordedEvents(server.db, companyId, ['declaration.issued'])
  expect(told.map(({ object, data }) => [object, data])).toMatchObject([
    [first.body.item.id, { kind: 'eReporting', sellerId, participantId: null, from: '2026-01-01', number: 1 }],
    [second.item.id, { number: 2 }],
  ])
})

test('counts a document of fees alone as services, whoever pays it', async () => {
  const { auth, sellerId, world } = await makeSoldMonths()
  itIs('2026-03-05')
  const fee = { id: 'adhesion', seller: sellerId, amount: 185, every: 'month', from: '2026-01-01', to: null } as const
  await issueMonthDocuments(server.db, {
    ...world,
    input: { ...world.input, month: '2026-02', cells: [], fees: [fee] },
  })
  const { body } = await call(server, declarations.eReporting, { query: { sellerId, year: 2026 } }, auth)
  const told = (body.items as { day: string; code: string; base: number }[]).map(({ day, code }) => [day, code])
  expect(told).toEqual([
    ['2026-01-06', 'TLB1'],
    ['2026-03-05', 'TPS1'],
  ])
})

test('makes yearly statements in an archive and in each portal, and none for a stranger', async () => {
  const { auth, client, world, documents, companyId } = await makeSoldMonths()
  const body = { year: 2025, kind: 'participantYear' as const }
  const early = await get('/api/declarations/archive?year=2025&kind=participantYear', auth.token)
  expect(early.statusCode).toBe(409)
  expect((await call(server, declarations.makeYears, { body }, auth)).body).toEqual({ made: 2, already: 0 })
  expect((await call(server, declarations.makeYears, { body }, auth)).body).toEqual({ made: 0, already: 2 })
  const told = await listRecordedEvents(server.db, companyId, ['declaration.issued'])
  const people = world.people.map(({ participant }) => participant.id).sort()
  const named = told.map(({ data }) => (data as { participantId: string }).participantId) // the event's own data
  expect(named.sort()).toEqual(people)
  const zip = await get('/api/declarations/archive?year=2025&kind=participantYear', auth.token)
  expect([zip.statusCode, zip.rawPayload.subarray(0, 2).toString()]).toEqual([200, 'PK'])
  const mine = await call(server, declarations.list, { query: {} }, { token: client.token })
  expect(mine.body.items.map(({ whose }: { whose: string }) => whose)).toEqual([world.people[0]?.participant.name])
  const pdf = await get(`/api/declarations/${mine.body.items[0].id}/file`, client.token)
  const text = extractPdfText(new Uint8Array(pdf.rawPayload)).replaceAll('\u00a0', ' ')
  expect(text).toContain('Relevé annuel 2025')
  expect(text).not.toContain('Voisol')
  for (const { number } of documents.filter(({ buyerId }) => buyerId === world.people[0]?.participant.id))
    expect(text.replace(/\s/g, '')).toContain(number)
  const all = (await call(server, declarations.list, { query: {} }, auth)).body.items as { id: string; whose: string }[]
  const other = all.find(({ whose }) => whose !== world.people[0]?.participant.name)
  expect((await get(`/api/declarations/${other?.id}/file`, client.token)).statusCode).toBe(404)
})

test('exports a producer’s year, and the file of its entries once a month is locked', async () => {
  const { auth, sellerId, world } = await makeSoldMonths()
  const make = (kind: 'producerYear' | 'fec', year: number) =>
    call(server, declarations.make, { body: { kind, of: sellerId, year } }, auth)
  const { item } = (await make('producerYear', 2026)).body
  const text = extractPdfText(new Uint8Array((await get(`/api/declarations/${item.id}/file`, auth.token)).rawPayload))
  expect(text).toContain(world.seller.name)
  expect(text).not.toContain('Voisol')
  expect((await make('producerYear', 2024)).status).toBe(409)
  expect((await make('fec', 2025)).status).toBe(409)
  await call(server, books.lock, { params: { sellerId }, body: { month: '2025-12' } }, auth)
  const fec = (await make('fec', 2025)).body
  expect([fec.item.file, fec.item.sha256]).toEqual([
    '552081317FEC20251231.txt',
    expect.stringMatching(/^[0-9a-f]{64}$/),
  ])
})
