import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bank } from '@voisol/contract/bank'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { ANNA_IBAN, buildCamt053, makeSalesFixture, OUR_IBAN } from '../../../../test/factories-bank.ts'
import { useServer } from '../../../../test/server.ts'
import { bankLines, bankStatements } from '../../../db/schema/index.ts'
import { createFolderInbox } from '../../../integrations/inbox/inbox.ts'
import { importDroppedStatements, WATCHED_FOLDER_LABEL } from './watched-statement-folder.ts'

const server = useServer()
const FILES = { part: 'releves', most: 20_000_000, wanted: /\.(xml|csv)$/i }

async function folder(companyId: number) {
  const root = await mkdtemp(join(tmpdir(), 'bank-'))
  const place = join(root, String(companyId), 'releves')
  await mkdir(place, { recursive: true })
  const deps = { ...server.app.deps, statements: createFolderInbox(root, FILES) }
  return {
    place,
    sweep: () => importDroppedStatements(deps),
    put: (name: string, text: string | Buffer) => writeFile(join(place, name), text),
  }
}
const linesOf = (companyId: number) => server.db.select().from(bankLines).where(eq(bankLines.companyId, companyId))

test('imports a dropped statement into the account of its IBAN, and changes nothing when dropped again', async () => {
  const { companyId, invoices } = await makeSalesFixture(server)
  const { place, sweep, put } = await folder(companyId)
  const [invoice] = invoices
  const entries = [{ amount: invoice?.gross ?? 0, text: invoice?.number ?? '', name: 'Anna', iban: ANNA_IBAN }]
  const xml = buildCamt053({ iban: OUR_IBAN, opening: 10_413, entries })
  await put('releve-1.xml', xml)
  await put('releve-2.xml', xml)
  await put('.releve-3.xml.part', xml)
  await sweep()
  expect((await linesOf(companyId)).map(({ status, settledBy }) => [status, settledBy])).toEqual([
    ['posted', 'Rapprochement automatique'],
  ])
  const statements = await server.db.select().from(bankStatements).where(eq(bankStatements.companyId, companyId))
  expect(statements.map(({ createdBy }) => createdBy)).toEqual([WATCHED_FOLDER_LABEL])
  expect(await readdir(join(place, 'lus'))).toEqual(['releve-1.xml', 'releve-2.xml'])
})

test('sets aside a file of another account or that is no statement with the reason, and posts nothing', async () => {
  const { companyId } = await makeSalesFixture(server)
  const { place, sweep, put } = await folder(companyId)
  await put('autre.xml', buildCamt053({ iban: ANNA_IBAN, opening: 413, entries: [{ amount: 517 }] }))
  await put('casse.xml', '<Document>')
  await put('tableau.csv', 'Date;Libellé;Montant\n12/06/2026;VIR ANNA;12,34\n')
  await sweep()
  const why = (name: string) => readFile(join(place, 'refuses', `${name}.raison.txt`), 'utf8')
  expect(await why('autre.xml')).toContain('finissant par 2606')
  expect(await why('tableau.csv')).toContain('Un tableau ne dit pas de quel compte il est')
  expect((await why('casse.xml')).length).toBeGreaterThan(20)
  expect(await linesOf(companyId)).toEqual([])
})

test('imports a table into the one account whose columns are named', async () => {
  const { companyId, account, auth } = await makeSalesFixture(server)
  const { sweep, put } = await folder(companyId)
  const text = 'Date;Libellé;Montant\n12/06/2026;VIR ANNA;12,34\n'
  const look = { params: { id: account.id }, query: { name: 'a.csv' }, upload: Buffer.from(text) }
  const { columns } = (await call(server, bank.look, look, auth)).body
  const named = await call(server, bank.columns, { params: { id: account.id }, body: columns }, auth)
  expect(named.status).toBe(200)
  await put('juin.csv', text)
  await sweep()
  expect((await linesOf(companyId)).map(({ amount, accountId }) => [amount, accountId])).toEqual([[1234, account.id]])
})
