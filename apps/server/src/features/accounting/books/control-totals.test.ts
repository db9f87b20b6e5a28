import { books } from '@voisol/contract/books'
import { statements } from '@voisol/contract/statements'
import { and, eq } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { insertBankAccount, postReceipt } from '../../../../test/factories-bank.ts'
import { issueMonthDocuments, makeMonthFixture, makeSellerWithVat } from '../../../../test/factories-invoices.ts'
import { useServer } from '../../../../test/server.ts'
import { transaction } from '../../../db/client.ts'
import { bankLines, bankStatements, files, invoices, operationBilling, sellers } from '../../../db/schema/index.ts'

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
  itIs('2026-08-20')
  const documents = await server.db
    .select()
    .from(invoices)
    .where(eq(invoices.companyId, companyId))
    .orderBy(invoices.number)
  return { companyId, world, documents, params: { sellerId: world.seller.id }, auth: { token: admin.token } }
}
type Tie = {
  name: string
  left: { cents: number }
  right: { cents: number }
  difference: number
  note: string
  rows: { label: string; difference: number }[]
}
const tiesOf = async (sellerId: string, auth: { token: string }): Promise<Map<string, Tie>> => {
  const { body } = await call(server, books.ties, { params: { sellerId }, query: { year: 2026 } }, auth)
  return new Map(body.items.map((tie: Tie) => [tie.name, tie]))
}

test('reads both sides of a control at one moment while money comes in', async () => {
  const { world, auth } = await makeSoldMonth()
  let over = false
  const coming = (async () => {
    for (let at = 0; at < 60; at++)
      await transaction(server.db, (tx) =>
        postReceipt(tx, world, { at: at % 2, amount: 1 + at, bookedOn: '2026-08-01', accountId: null }),
      )
    over = true
  })()
  const seen: (number | undefined)[] = []
  while (!over) seen.push((await tiesOf(world.seller.id, auth)).get('clients')?.difference)
  await coming
  expect(seen.filter((difference) => difference !== 0)).toEqual([])
  expect(seen.length).toBeGreaterThan(1)
})

test('matches statements with sales minus fees, and books the organiser’s fees in its own books', async () => {
  const { companyId, world, auth, params } = await makeSoldMonth()
  const organiser = await makeSellerWithVat(server.db, { companyId, name: 'Association' })
  const where = and(eq(sellers.companyId, companyId), eq(sellers.id, world.seller.id))
  await server.db
    .update(sellers)
    .set({ managementFees: [{ kind: 'fixed', amount: 271 }] })
    .where(where)
  await server.db
    .insert(operationBilling)
    .values({ companyId, operationId: world.operation.id, organiserId: organiser.id })
  expect((await tiesOf(world.seller.id, auth)).get('statements')?.note).toContain('pas encore arrêté')
  await call(server, statements.settle, { params: { ...params, month: '2026-06' } }, auth)
  const tie = (await tiesOf(world.seller.id, auth)).get('statements')
  expect([tie?.difference, tie?.rows.length, tie?.note]).toEqual([0, 1, ''])
  const { body } = await call(
    server,
    books.entries,
    { params: { sellerId: organiser.id }, query: { month: '2026-08' } },
    auth,
  )
  const sale = body.items.find(({ journal }: { journal: string }) => journal === 'sales')
  expect(
    sale.lines.map(({ account, debit, credit }: { account: string; debit: number; credit: number }) => [
      account,
      debit,
      credit,
    ]),
  ).toEqual([
    ['411000', 325, 0],
    ['706000', 0, 271],
    ['445712000', 0, 54],
  ])
})

test('matches the bank’s closing balance with booked, waiting and fee amounts, and shows one cent more', async () => {
  const { companyId, world, documents, auth } = await makeSoldMonth()
  const account = await insertBankAccount(server.db, companyId, world.seller.id)
  const gross = documents[0]?.gross ?? 0
  const about = { name: 'releve.xml', mediaType: 'application/xml', size: 1, sha256: 'e3b0' }
  const [file] = await server.db
    .insert(files)
    .values({ companyId, ...about })
    .returning()
  const closing = 10_031 + gross - 350 + 77
  const told = {
    companyId,
    accountId: account.id,
    format: 'camt.053',
    fileId: file?.id ?? '',
    lines: 3,
    createdBy: 'Camille',
  }
  const days = { from: '2026-06-01', to: '2026-06-30' }
  const [statement] = await server.db
    .insert(bankStatements)
    .values({ ...told, ...days, opening: 10_031, closing })
    .returning()
  const line = { companyId, accountId: account.id, statementId: statement?.id ?? '', bookedOn: '2026-06-20' }
  const id = crypto.randomUUID()
  const banked = { bookedOn: '2026-06-20', accountId: account.id }
  await postReceipt(server.db, world, { amount: gross, source: `entry:${id}:1:1`, ...banked })
  await server.db.insert(bankLines).values([
    { ...line, id, round: 1, identity: 'a', amount: gross, status: 'posted', label: 'VIR' },
    { ...line, identity: 'b', amount: -350, status: 'ignored', reason: 'Frais de tenue de compte' },
    { ...line, identity: 'c', amount: 77, status: 'open', label: 'VIR INCONNU' },
  ])
  const fine = (await tiesOf(world.seller.id, auth)).get('bank')
  expect([fine?.left.cents, fine?.right.cents, fine?.difference]).toEqual([closing, closing, 0])
  expect(fine?.rows.some(({ label }) => label.includes('VIR INCONNU'))).toBe(true)
  const balance = (
    await call(server, books.balance, { params: { sellerId: world.seller.id }, query: { year: 2026 } }, auth)
  ).body.items
  expect(balance.find(({ account: name }: { account: string }) => name === '627000')).toMatchObject({ debit: 350 })
  expect(fine?.note).toBe('')

  // Entries by hand before and after the first statement are explained and no error; after the last statement nothing
  // is known yet.
  await postReceipt(server.db, world, { at: 1, amount: 1003, ...banked, bookedOn: '2026-05-31' })
  await postReceipt(server.db, world, { at: 1, amount: 407, ...banked, bookedOn: '2026-06-01' })
  await postReceipt(server.db, world, { at: 1, amount: 211, ...banked, bookedOn: '2026-07-01' })
  const apart = (await tiesOf(world.seller.id, auth)).get('bank')
  expect([apart?.left.cents, apart?.right.cents, apart?.difference]).toEqual([closing, closing, 0])
  expect(apart?.note.replaceAll('\u00a0', ' ')).toMatch(
    /^14,10 € du compte 512000 ne figurent sur aucun relevé importé : 4,07 € saisis à la main et 10,03 € d’avant le premier/,
  )
  expect(apart?.rows.map(({ label }) => label.replaceAll('\u00a0', ' '))).toEqual(
    expect.arrayContaining(['Sans relevé : d’avant le 01/06/2026', 'Sans relevé : saisi à la main']),
  )

  // An entry that claims a bank line with a different amount.
  await postReceipt(server.db, world, { at: 1, amount: 1, source: `entry:${id}:1:2`, ...banked })
  const off = (await tiesOf(world.seller.id, auth)).get('bank')
  expect([off?.difference, off?.rows.filter(({ difference }) => difference !== 0).length]).toEqual([1, 1])
  // Once undone, the line waits again and so does the entry it proves.
  await server.db.update(bankLines).set({ status: 'open' }).where(eq(bankLines.id, id))
  expect((await tiesOf(world.seller.id, auth)).get('bank')?.difference).toBe(0)
})
