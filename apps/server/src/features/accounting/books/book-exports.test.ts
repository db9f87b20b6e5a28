import { books } from '@voisol/contract/books'
import { and, eq } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { insertBankAccount, postReceipt } from '../../../../test/factories-bank.ts'
import { issueMonthDocuments, makeMonthFixture } from '../../../../test/factories-invoices.ts'
import { useServer } from '../../../../test/server.ts'
import { invoices, notifications, sellers } from '../../../db/schema/index.ts'
import { encodeLatin9 } from '../../../files/csv.ts'
import { computeLostAmount } from './doubtful-debts.ts'
import { lockMonthsThrough } from './index.ts'

const server = useServer()
afterEach(() => vi.restoreAllMocks())
const itIs = (day: string) =>
  vi.spyOn(Temporal.Now, 'plainDateISO').mockImplementation(() => Temporal.PlainDate.from(day))

async function makeSoldMonth() {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const world = await makeMonthFixture(server.db, { companyId, members: 2 })
  itIs('2026-06-04')
  await issueMonthDocuments(server.db, world)
  itIs('2027-01-12')
  const documents = await server.db
    .select()
    .from(invoices)
    .where(eq(invoices.companyId, companyId))
    .orderBy(invoices.number)
  const account = await insertBankAccount(server.db, companyId, world.seller.id)
  await postReceipt(server.db, world, {
    amount: documents[0]?.gross ?? 0,
    bookedOn: '2026-06-20',
    accountId: account.id,
  })
  const entity = { companyId, id: world.seller.id, name: world.seller.name, siren: world.seller.siren }
  return {
    admin,
    companyId,
    world,
    documents,
    entity,
    params: { sellerId: world.seller.id },
    auth: { token: admin.token },
  }
}
const get = async (url: string, token: string) =>
  server.app.inject({ url, headers: { authorization: `Bearer ${token}` } })

test('exports the FEC of a locked year with 18 columns, gapless numbers and lettering', async () => {
  const { entity, params, auth, documents } = await makeSoldMonth()
  const url = `/api/books/${params.sellerId}/fec?year=2026`
  const early = await get(url, auth.token)
  expect([early.statusCode, early.json().message]).toEqual([
    409,
    expect.stringContaining('Verrouillez d’abord un mois'),
  ])
  await lockMonthsThrough(server.db, entity, '2026-06', 'Camille')
  expect((await get(url, auth.token)).headers['content-disposition']).toContain('552081317FEC20260630.txt')
  await lockMonthsThrough(server.db, entity, '2026-12', 'Camille')
  const fec = await get(url, auth.token)
  expect(fec.headers['content-disposition']).toContain('552081317FEC20261231.txt')
  const [head, ...lines] = fec.body
    .slice(0, -2)
    .split('\r\n')
    .map((line) => line.split('\t'))
  expect(head).toHaveLength(18)
  expect(new Set(lines.map((cells) => cells.length))).toEqual(new Set([18]))
  const numbers = new Set(lines.map(([journal, , number]) => `${journal} ${number}`))
  expect([...numbers]).toEqual(['VE 1', 'VE 2', 'BQ 1', 'OD 1', 'OD 2', 'OD 3', 'OD 4'])
  const gross = `${Math.floor((documents[0]?.gross ?? 0) / 100)},${String((documents[0]?.gross ?? 0) % 100).padStart(2, '0')}`
  const paid = lines.filter((cells) => cells[4] === '411000' && cells[13] !== '')
  expect(paid.map((cells) => [cells[0], cells[11], cells[12], cells[13], cells[14]])).toEqual([
    ['VE', gross, '0,00', 'AA', '20260620'],
    ['BQ', '0,00', gross, 'AA', '20260620'],
  ])
  expect(lines.every((cells) => cells[15] === '20270112')).toBe(true)
})

test('refuses a FEC without a SIREN and says where to set it', async () => {
  const { entity, auth, params } = await makeSoldMonth()
  await lockMonthsThrough(server.db, entity, '2026-06', 'Camille')
  const where = and(eq(sellers.companyId, entity.companyId), eq(sellers.id, entity.id))
  await server.db.update(sellers).set({ siren: '' }).where(where)
  const fec = await get(`/api/books/${params.sellerId}/fec?year=2026`, auth.token)
  expect([fec.statusCode, fec.json().message]).toEqual([409, expect.stringContaining('n’a pas de SIREN')])
})

test('encodes ISO-8859-15 with the euro sign and œ, and replaces missing characters by plain ones', () => {
  expect(encodeLatin9('Cœur d’été 5 € – Łódź').toString('latin1')).toBe("C\u00bdur d'été 5 \u00a4 - ?ódz")
})

test('exports entries in the columns of a program and of a custom profile', async () => {
  const { auth, params, documents } = await makeSoldMonth()
  const url = (profile: string) => `/api/books/${params.sellerId}/export?from=2026-06&to=2026-06&profile=${profile}`
  const ebp = (await get(url('ebp'), auth.token)).body.split('\r\n')
  const cents = documents[0]?.gross ?? 0
  expect(ebp[0]).toMatch(/^,040626,OD,C[0-9A-F]{12},,/)
  expect(ebp.find((line) => line.includes(',BQ,512000,'))).toContain(`,${(cents / 100).toFixed(2)},D,200626,EUR`)
  const profile = {
    columns: [
      { field: 'side', header: 'S;ns' },
      { field: 'debit', header: '' },
    ],
    separator: ';',
    header: true,
    decimal: ',',
    dates: 'yyyymmdd',
    encoding: 'utf-8',
    extension: 'csv',
  }
  const saved = await call(server, books.addProfile, { body: { name: 'Le nôtre', profile } } as never, auth)
  expect(saved.status).toBe(200)
  const twin = await call(server, books.addProfile, { body: { name: 'EBP', profile } } as never, auth)
  expect([twin.status, twin.body.message]).toEqual([409, expect.stringContaining('s’appelle déjà')])
  const own = (await get(url(saved.body.id), auth.token)).body.split('\r\n')
  expect(own[0]).toBe('\uFEFF"S;ns";')
  expect((await get(url('rien'), auth.token)).statusCode).toBe(422)
})

test('notifies bookkeepers of the accountant’s question and sends the answer back', async () => {
  const { admin, companyId, auth, params, documents } = await makeSoldMonth()
  const accountant = await makeUser(server.db, { companyId, role: 'accountant' })
  const source = `invoice:${documents[0]?.id}`
  const ask = (token: string, kind: 'question' | 'answer', text: string) =>
    call(server, books.addNote, { params, body: { source, kind, text } }, { token })
  expect((await ask(auth.token, 'answer', 'Parce que.')).status).toBe(409)
  expect((await ask(accountant.token, 'question', 'Pourquoi 701 et non 706 ?')).status).toBe(200)
  const asked = await call(server, books.questions, {}, auth)
  expect(asked.body.items).toMatchObject([{ source, text: 'Pourquoi 701 et non 706 ?' }])
  await ask(auth.token, 'answer', 'C’est de l’énergie.')
  expect((await call(server, books.questions, {}, auth)).body.items).toEqual([])
  const told = await server.db.select().from(notifications).where(eq(notifications.companyId, companyId))
  const of = (userId: string) =>
    told.filter((one) => one.userId === userId).map(({ title }) => title.split('\u00a0')[0])
  expect(of(admin.id)).toContain('Question du comptable')
  expect(of(accountant.id)).toContain('Réponse')
  const stranger = await call(
    server,
    books.addNote,
    { params, body: { source: `invoice:${crypto.randomUUID()}`, kind: 'question', text: 'Et celle-ci ?' } },
    auth,
  )
  expect(stranger.status).toBe(404)
})

test('refuses one account for two uses, and a new year start after a locked year', async () => {
  const { entity, params, auth } = await makeSoldMonth()
  const { body: settings } = await call(server, books.settings, { params }, auth)
  const save = (body: object) =>
    call(server, books.saveSettings, { params, body: { ...settings, ...body } } as never, auth)
  const twin = await save({ chart: { ...settings.chart, online: settings.chart.bank } })
  expect([twin.status, twin.body.message]).toEqual([422, expect.stringContaining('sert déjà à')])
  expect((await save({ chart: { ...settings.chart, customer: '411VOI' } })).status).toBe(200)
  expect((await save({})).status).toBe(409)
  const { body } = await call(server, books.entries, { params, query: { month: '2026-06' } }, auth)
  expect(
    body.items
      .flatMap(({ lines }: { lines: { account: string }[] }) => lines)
      .some(({ account }: { account: string }) => account === '411VOI'),
  ).toBe(true)
  await lockMonthsThrough(server.db, entity, '2026-06', 'Camille')
  const moved = await save({ yearStart: 7, version: 1, chart: { ...settings.chart, customer: '411VOI' } })
  expect([moved.status, moved.body.message]).toEqual([409, expect.stringContaining('ne change plus')])
})

test('moves a doubtful claim from 411 to 416 with one provision excluding VAT, and back when lifted', async () => {
  const { params, auth, documents } = await makeSoldMonth()
  const [paid, open] = documents
  const add = (invoiceId: string | undefined) =>
    call(
      server,
      books.addDoubt,
      { params, body: { invoiceId: invoiceId ?? '', lostBp: 5_000, bookedOn: '2026-12-31', reason: 'Sans nouvelles' } },
      auth,
    )
  expect((await add(paid?.id)).status).toBe(409)
  const { body } = await add(open?.id)
  const lost = computeLostAmount(open?.gross ?? 0, open ?? { net: 1, gross: 1 }, 5_000)
  expect(body.items).toMatchObject([{ cents: open?.gross, lost, lifted: null }])
  expect((await add(open?.id)).body.message).toContain('est déjà une créance douteuse')
  const balance = async () => {
    const { items } = (await call(server, books.balance, { params, query: { year: 2026 } }, auth)).body
    return Object.fromEntries(items.map((row: { account: string; balance: number }) => [row.account, row.balance]))
  }
  expect(await balance()).toMatchObject({ 411000: 0, 416000: open?.gross, 491000: -lost, 681740: lost })
  const ties = (await call(server, books.ties, { params, query: { year: 2026 } }, auth)).body.items
  expect(ties.map(({ difference }: { difference: number }) => difference)).toEqual([0, 0, 0, 0])
  const lift = () =>
    call(server, books.liftDoubt, { params: { id: body.items[0].id }, body: { bookedOn: '2026-12-31' } }, auth)
  expect((await lift()).body.items[0].lifted).toBe('2026-12-31')
  expect((await lift()).status).toBe(409)
  expect(await balance()).toMatchObject({ 411000: open?.gross, 416000: 0, 491000: 0 })
  expect(computeLostAmount(1_001, { net: 100, gross: 120 }, 5_000)).toBe(417)
})
