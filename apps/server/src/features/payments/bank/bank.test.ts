import { bank } from '@voisol/contract/bank'
import { debits as debitContract } from '@voisol/contract/debits'
import { eq } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { call } from '../../../../test/client.ts'
import {
  ANNA_IBAN,
  type BankFileEntry,
  BRUNO_IBAN,
  buildCamt053,
  buildCamt054,
  buildPain002,
  makeSalesFixture,
  type SalesFixture,
  signAllMandates,
} from '../../../../test/factories-bank.ts'
import { listRecordedEvents } from '../../../../test/recorded-events.ts'
import { useServer } from '../../../../test/server.ts'
import { bankLines, bankStatements, debits, mandates, payments } from '../../../db/schema/index.ts'
import { loadOpenItems } from '../payments/index.ts'

const server = useServer()
afterEach(() => vi.restoreAllMocks())
const itIs = (day: string) =>
  vi.spyOn(Temporal.Now, 'plainDateISO').mockImplementation(() => Temporal.PlainDate.from(day))

const importStatementFile = (sales: SalesFixture, upload: Buffer, name = 'releve.xml') =>
  call(server, bank.import, { params: { id: sales.account.id }, query: { name }, upload }, sales.auth)
const statement = (sales: SalesFixture, entries: BankFileEntry[], more = {}) =>
  importStatementFile(sales, buildCamt053({ entries, ...more }))
const linesOf = async (sales: SalesFixture, query = {}) =>
  (await call(server, bank.lines, { query }, sales.auth)).body.items
const openOf = async ({ companyId, world }: SalesFixture) =>
  (await loadOpenItems(server.db, companyId, { sellerId: world.seller.id })).map(({ number, side, open }) => [
    number,
    side,
    open,
  ])
const gross = (sales: SalesFixture, at: number) => sales.invoices[at]?.gross ?? 0
const number = (sales: SalesFixture, at: number) => sales.invoices[at]?.number ?? ''
const act = (
  sales: SalesFixture,
  endpoint: typeof bank.accept | typeof bank.undo,
  line: { id: string; version: number },
) => call(server, endpoint, { params: { id: line.id }, body: { version: line.version } }, sales.auth)

/** One debit per member, sent to the bank on 3 June and to be collected on the 18th. */
async function makeSentDebits(members = 2) {
  itIs('2026-06-03')
  const sales = await makeSalesFixture(server, { members })
  const signed = await signAllMandates(server, sales)
  const { body: run } = await call(
    server,
    debitContract.announce,
    { body: { accountId: sales.account.id, except: [] } },
    sales.auth,
  )
  const move = async (endpoint: typeof debitContract.prepare | typeof debitContract.sent, version: number) =>
    (await call(server, endpoint, { params: { id: run.id }, body: { version } }, sales.auth)).body
  const ready = await move(debitContract.prepare, run.version)
  const done = await move(debitContract.sent, ready.version)
  itIs('2026-06-19')
  const rows = await server.db.select().from(debits).where(eq(debits.runId, run.id)).orderBy(debits.endToEndId)
  return { ...sales, signed, run: done, rows }
}

test('posts a line with an invoice number and its exact amount, and changes nothing when read again', async () => {
  const sales = await makeSalesFixture(server)
  const entries = [{ amount: gross(sales, 0), text: `Fact ${number(sales, 0).replace('-', ' ')}`, name: 'ANNA' }]
  const { body } = await statement(sales, entries)
  expect(body).toMatchObject({
    format: 'camt.053',
    statements: 1,
    lines: 1,
    known: 0,
    posted: 1,
    open: 0,
    sentences: [],
  })
  expect(await openOf(sales)).toEqual([[number(sales, 1), 'debit', gross(sales, 1)]])
  const again = await statement(sales, entries)
  expect(again.body).toMatchObject({ statements: 0, lines: 1, known: 1, posted: 0, open: 0 })
  expect(await server.db.$count(payments, eq(payments.companyId, sales.companyId))).toBe(1)
  expect(await server.db.$count(bankStatements, eq(bankStatements.companyId, sales.companyId))).toBe(1)
  const [line] = await linesOf(sales)
  expect(line).toMatchObject({ state: 'posted', settled: expect.stringContaining(`Affecté à ${number(sales, 0)}`) })
})

test('keeps two identical movements of one day apart by their order', async () => {
  const sales = await makeSalesFixture(server)
  const twice = [
    { amount: 500, reference: 'VIR' },
    { amount: 500, reference: 'VIR' },
  ]
  expect((await statement(sales, twice)).body).toMatchObject({ lines: 2, known: 0, open: 2 })
  const more = await statement(sales, [...twice, { amount: 700, reference: 'VIR' }])
  expect(more.body).toMatchObject({ lines: 3, known: 2, open: 1 })
})

test('refuses a whole statement when it is of another account or its balances do not add up', async () => {
  const sales = await makeSalesFixture(server)
  const entries = [{ amount: gross(sales, 0), text: number(sales, 0) }]
  const other = await statement(sales, entries, { iban: BRUNO_IBAN })
  expect([other.status, other.body.message]).toEqual([409, expect.stringContaining('finissant par 3000')])
  const cent = await statement(sales, entries, { closing: 1 })
  expect([cent.status, cent.body.message]).toEqual([422, expect.stringContaining('ne tombe pas juste')])
  expect(await server.db.$count(bankLines, eq(bankLines.companyId, sales.companyId))).toBe(0)
})

test('proposes a match by known account or name, posts it once accepted, and undoes it to the cent', async () => {
  const sales = await makeSalesFixture(server)
  await signAllMandates(server, sales)
  const before = await openOf(sales)
  await statement(sales, [{ amount: gross(sales, 0), iban: ANNA_IBAN, name: 'M OU MME X' }])
  expect(await openOf(sales)).toEqual(before)
  const [line] = await linesOf(sales, { state: 'open' })
  expect(line.proposal).toMatchObject({
    step: 4,
    certain: false,
    invoices: [{ number: number(sales, 0), open: gross(sales, 0) }],
  })
  const { body: posted } = await act(sales, bank.accept, line)
  expect(posted).toMatchObject({ state: 'posted' })
  expect(await openOf(sales)).toEqual(before.slice(1))
  expect((await act(sales, bank.accept, posted)).status).toBe(409)
  const { body: undone } = await act(sales, bank.undo, posted)
  expect([undone.state, await openOf(sales)]).toEqual(['open', before])
  // The line is posted a second time under a different source.
  const { body: again } = await act(sales, bank.accept, undone)
  expect([again.state, await openOf(sales)]).toEqual(['posted', before.slice(1)])
})

test('keeps the rest open after a partial payment and turns an overpayment into an advance', async () => {
  const sales = await makeSalesFixture(server)
  const [partial, over] = [gross(sales, 0) - 217, gross(sales, 1) + 383]
  await statement(sales, [
    { amount: partial, text: number(sales, 0), reference: 'P' },
    { amount: over, text: number(sales, 1), reference: 'O' },
  ])
  const lines = await linesOf(sales, { state: 'open' })
  expect(lines).toHaveLength(2)
  for (const line of lines) {
    expect(line.proposal).toMatchObject({ step: 3, certain: false })
    expect((await act(sales, bank.accept, line)).status).toBe(200)
  }
  const open = await openOf(sales)
  expect(open).toHaveLength(2)
  expect(open).toEqual(
    expect.arrayContaining([
      [number(sales, 0), 'debit', 217],
      ['', 'credit', 383],
    ]),
  )
})

test('splits a line by hand over several accounts, and refuses more than a document owes', async () => {
  const sales = await makeSalesFixture(server)
  await statement(sales, [{ amount: gross(sales, 0) + 500, name: 'INCONNU' }])
  const [line] = await linesOf(sales)
  expect(line.proposal).toBeNull()
  const { body: found } = await call(
    server,
    bank.candidates,
    { params: { id: line.id }, query: { q: number(sales, 1) } },
    sales.auth,
  )
  expect(found.items).toMatchObject([{ number: number(sales, 1), open: gross(sales, 1) }])
  const [a, b] = sales.invoices.map(({ id }) => id)
  const settle = (parts: { invoiceId: string | undefined; amount: number }[]) =>
    call(server, bank.settle, { params: { id: line.id }, body: { parts, version: line.version } }, sales.auth)
  const much = await settle([{ invoiceId: a, amount: gross(sales, 0) + 1 }])
  expect([much.status, much.body.message]).toEqual([409, expect.stringContaining('Il ne reste que')])
  const both = await settle([
    { invoiceId: a, amount: gross(sales, 0) },
    { invoiceId: b, amount: 501 },
  ])
  expect([both.status, both.body.message]).toEqual([409, expect.stringContaining('sont affectés')])
  const good = await settle([
    { invoiceId: a, amount: gross(sales, 0) },
    { invoiceId: b, amount: 500 },
  ])
  expect(good.body.state).toBe('posted')
  expect(await openOf(sales)).toEqual([[number(sales, 1), 'debit', gross(sales, 1) - 500]])
})

test('ignores a line with a reason, and reopens it later', async () => {
  const sales = await makeSalesFixture(server)
  await statement(sales, [{ amount: -1250, name: 'BANQUE', text: 'FRAIS DE TENUE' }])
  const [line] = await linesOf(sales)
  const body = { reason: 'Frais de tenue de compte', version: line.version }
  const { body: left } = await call(server, bank.ignore, { params: { id: line.id }, body }, sales.auth)
  expect(left).toMatchObject({ state: 'ignored', settled: expect.stringContaining('Frais de tenue') })
  expect((await act(sales, bank.undo, left)).body.state).toBe('open')
})

test('opens a batch of debits by its reference and pays each of its documents', async () => {
  const sales = await makeSentDebits()
  const total = gross(sales, 0) + gross(sales, 1)
  const short = await statement(sales, [
    { amount: total - 1, batchId: `${sales.run.messageId}-R`, reference: 'S', parts: [] },
  ])
  expect(short.body).toMatchObject({ posted: 0, open: 1 })
  const [wrong] = await linesOf(sales, { state: 'open' })
  expect((await act(sales, bank.accept, wrong)).body.message).toContain('n’est pas celui du prélèvement')
  const { body } = await statement(sales, [{ amount: total, batchId: `${sales.run.messageId}-R`, parts: [] }])
  expect(body).toMatchObject({ posted: 1, open: 0 })
  expect(await openOf(sales)).toEqual([])
  const { body: run } = await call(server, debitContract.get, { params: { id: sales.run.id } }, sales.auth)
  expect(run.collected).toBe(total)
})

test('matches a batch without the debit that was refused before its collection day', async () => {
  const sales = await makeSentDebits()
  const [first] = sales.rows
  const report = await importStatementFile(
    sales,
    buildPain002(sales.run.messageId, [{ endToEndId: first?.endToEndId ?? '', code: 'AC04' }]),
  )
  expect(report.body).toMatchObject({
    format: 'pain.002',
    returned: 1,
    sentences: [expect.stringContaining('compte clôturé')],
  })
  expect(
    (
      await importStatementFile(
        sales,
        buildPain002(sales.run.messageId, [{ endToEndId: first?.endToEndId ?? '', code: 'AC04' }]),
      )
    ).body.returned,
  ).toBe(0)
  const [mandate] = await server.db
    .select()
    .from(mandates)
    .where(eq(mandates.id, first?.mandateId ?? ''))
  expect(mandate?.status).toBe('stopped')
  const rest = sales.rows[1]?.amount ?? 0
  expect((await statement(sales, [{ amount: rest, batchId: `${sales.run.messageId}-R`, parts: [] }])).body.posted).toBe(
    1,
  )
  expect(await openOf(sales)).toMatchObject([['', '', 0]].map(() => [expect.any(String), 'debit', first?.amount]))
})

test('matches a debit returned weeks later with the bank fee, and collects it once the line is undone', async () => {
  const sales = await makeSentDebits()
  const [first] = sales.rows
  const parts = sales.rows.map(({ endToEndId, amount }) => ({ endToEndId, amount }))
  const total = parts.reduce((sum, { amount }) => sum + amount, 0)
  expect((await statement(sales, [{ amount: total, parts }])).body).toMatchObject({ lines: 2, posted: 2 })
  expect(await openOf(sales)).toEqual([])
  const amount = -((first?.amount ?? 0) + 350)
  const back = { amount, endToEndId: first?.endToEndId ?? '', code: 'MD06', charge: 350, on: '2026-08-10' }
  itIs('2026-08-11')
  const { body } = await statement(sales, [back], { opening: 103_417 + total, from: '2026-08-10' })
  expect(body).toMatchObject({ posted: 0, returned: 1, open: 0 })
  expect(await openOf(sales)).toEqual([[expect.any(String), 'debit', first?.amount]])
  const [line] = await linesOf(sales, { q: '', state: 'posted' })
  expect(line.settled).toContain('Rejet')
  expect((await act(sales, bank.undo, line)).status).toBe(200)
  expect(await openOf(sales)).toEqual([])
  const [mandate] = await server.db
    .select()
    .from(mandates)
    .where(eq(mandates.id, first?.mandateId ?? ''))
  expect(mandate?.status).toBe('active')
  const ids = [first?.id, first?.id]
  const told = await listRecordedEvents(server.db, sales.companyId, ['debit.returned', 'debit.return-cancelled'])
  expect(told.map(({ object }) => object)).toEqual(ids)
  expect(told.map(({ data }) => data)).toMatchObject([{ code: 'MD06', on: '2026-08-10' }, { code: 'MD06' }])
})

test('changes nothing on the statement line when a camt.054 file reported the return first', async () => {
  const sales = await makeSentDebits()
  const [first] = sales.rows
  const { endToEndId = '', amount = 0 } = first ?? {}
  await statement(sales, [{ amount, endToEndId, reference: 'C' }])
  const notice = await importStatementFile(
    sales,
    buildCamt054([{ amount: -amount, endToEndId, code: 'AM04', on: '2026-06-22' }]),
  )
  expect(notice.body).toMatchObject({ format: 'camt.054', returned: 1, lines: 0 })
  itIs('2026-06-23')
  const { body } = await statement(
    sales,
    [{ amount: -amount, endToEndId, code: 'AM04', reference: 'D', on: '2026-06-22' }],
    { opening: 103_417 + amount, from: '2026-06-22' },
  )
  expect(body).toMatchObject({ returned: 1, open: 0 })
  const kinds = (await server.db.select().from(payments).where(eq(payments.companyId, sales.companyId))).map(
    ({ kind }) => kind,
  )
  expect(kinds.sort()).toEqual(['receipt', 'return'])
})

test('reads a table once its columns are named, and remembers them for the next file', async () => {
  const sales = await makeSalesFixture(server)
  const euros = `${Math.floor(gross(sales, 0) / 100)},${String(gross(sales, 0) % 100).padStart(2, '0')}`
  const csv = Buffer.from(`Date;Libellé;Montant\n18/06/2026;VIR ${number(sales, 0)};${euros}\n`)
  const early = await importStatementFile(sales, csv, 'releve.csv')
  expect([early.status, early.body.message]).toEqual([422, expect.stringContaining('quelle colonne')])
  const params = { id: sales.account.id }
  const { body: look } = await call(
    server,
    bank.look,
    { params, query: { name: 'releve.csv' }, upload: csv },
    sales.auth,
  )
  expect(look).toMatchObject({ titles: ['Date', 'Libellé', 'Montant'], remembered: false })
  await call(server, bank.columns, { params, body: look.columns }, sales.auth)
  expect((await importStatementFile(sales, csv, 'releve.csv')).body).toMatchObject({ format: 'csv', posted: 1 })
  expect((await importStatementFile(sales, csv, 'releve.csv')).body).toMatchObject({ known: 1, posted: 0 })
})
