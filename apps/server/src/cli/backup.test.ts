import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createTestDatabase, queryAs } from '../../test/database.ts'
import { makeUser } from '../../test/factories.ts'
import { appendAuditEntries } from '../../test/factories-audit.ts'
import { makeOperation } from '../../test/factories-energy.ts'
import { runCli } from '../../test/run-cli.ts'
import { useServer } from '../../test/server.ts'
import { storeFile } from '../core/stored-files.ts'
import { trackTerminalCopy } from '../features/admin/backups/index.ts'
import { createFolderStore } from '../integrations/files/files.ts'

const server = useServer()
const folder = mkdtempSync(join(tmpdir(), 'voisol-cli-'))
let target: Awaited<ReturnType<typeof createTestDatabase>>
let companyId = 0
beforeAll(async () => {
  target = await createTestDatabase(inject('postgres'), 'template0')
  companyId = (await makeUser(server.db)).companyId
  await makeOperation(server.db, { companyId, name: 'Toits du Port' })
  await appendAuditEntries(server, companyId, 1, 3)
})
afterAll(async () => {
  await target.drop()
  rmSync(folder, { recursive: true, force: true })
})

const KEYS = { SECRET_KEY: `${'c'.repeat(43)}=`, BACKUP_KEY: 'une phrase que personne ne devine' }

const voisol = (args: string[], env: Record<string, string> = {}) =>
  runCli(args, { NODE_ENV: 'test', DATA_DIR: folder, DATABASE_URL: server.url, ...KEYS, ...env })
const into = () => ({ DATABASE_URL: target.url, DATABASE_OWNER_URL: target.ownerUrl })
/** The audit chain of the installation is separate from that of the company. */
const copiedRows = () =>
  `select (select count(*)::int from audit_entries where company_id = ${companyId}) as links, (select max(name) from operations) as name`
const copyFile = () => {
  const [name = ''] = readdirSync(join(folder, 'backups/copies')).filter((one) => one.endsWith('.voisol'))
  return join(folder, 'backups/copies', name)
}

test('backup, verify and restore, run as commands, reproduce the rows in another database', async () => {
  const made = await voisol(['backup'])
  expect(made).toMatchObject({
    code: 0,
    text: expect.stringMatching(/✓ voisol-\S+[\s\S]*Aucune des deux n’est dans la copie/),
  })
  expect(made.text).not.toContain('notée')
  // The alert on the age of backups counts this one like any other.
  const { rows: runs } = await server.asOwner('select kind, state, asked_by, copy from copy_runs')
  expect(runs).toEqual([
    { kind: 'copy', state: 'done', asked_by: 'voisol backup', copy: expect.stringMatching(/^voisol-/) },
  ])
  expect(await voisol(['verify', 'latest'])).toMatchObject({ code: 0, text: expect.stringContaining('entière') })
  const restored = await voisol(['restore', 'latest'], into())
  expect(restored).toMatchObject({ code: 0, text: expect.stringContaining('est restaurée') })
  const [here, there] = [await server.asOwner(copiedRows()), await queryAs(target.ownerUrl, copiedRows())]
  expect(there.rows).toEqual(here.rows)
  expect(there.rows).toEqual([{ links: 3, name: 'Toits du Port' }])
  const again = await voisol(['restore', 'latest'], into())
  expect(again).toMatchObject({ code: 1, text: expect.stringContaining('La base n’est pas vide') })
})

test('without the stored files, backup and verify exit with 1 and name what is missing', async () => {
  const content = Buffer.from('Procès-verbal')
  await storeFile(server.db, createFolderStore(join(folder, 'files')), companyId, {
    name: 'pv.txt',
    mediaType: 'text/plain',
    content,
  })
  const to = join(folder, 'other-copies')
  expect((await voisol(['backup', '--to', to])).code).toBe(0)
  const wrong = await voisol(['backup', '--to', to], { DATA_DIR: join(folder, 'wrong') })
  expect(wrong.code).toBe(1)
  expect(wrong.text).toMatch(
    /✗ Copie incomplète\u00a0: 1 fichier enregistré sur 1 manque\u00a0: pv\.txt \(\d+\/[0-9a-f]{12}\)\./,
  )
  expect(wrong.text).toContain('Vérifiez DATA_DIR')
  const { rows } = await server.asOwner('select state from copy_runs order by started_at desc limit 2')
  expect(rows).toEqual([{ state: 'failed' }, { state: 'done' }])
  const verified = await voisol(['verify', 'latest', '--to', to])
  expect([verified.code, verified.text]).toEqual([1, expect.stringContaining('1 fichier enregistré sur 1 manque')])
})

test('a backup run from a terminal has its record from the start', async () => {
  const during = await trackTerminalCopy(server.deps, async () => {
    const { rows } = await server.asOwner(`select state from copy_runs order by started_at desc limit 1`)
    expect(rows).toEqual([{ state: 'running' }])
    throw new Error('coupée')
  }).catch((error: Error) => error.message)
  const { rows } = await server.asOwner(`select state, failure from copy_runs order by started_at desc limit 1`)
  expect([during, rows]).toEqual(['coupée', [{ state: 'failed', failure: expect.stringContaining('coupée') }]])
})

test('another key, another secret and a changed byte are refused before anything is written', async () => {
  const key = await voisol(['verify', 'latest'], { BACKUP_KEY: 'une autre phrase assez longue' })
  expect([key.code, key.text]).toEqual([1, expect.stringContaining('clé')])
  const empty = await createTestDatabase(inject('postgres'), 'template0')
  const urls = { DATABASE_URL: empty.url, DATABASE_OWNER_URL: empty.ownerUrl }
  const secret = await voisol(['restore', 'latest'], { ...urls, SECRET_KEY: `${'d'.repeat(43)}=` })
  expect([secret.code, secret.text]).toEqual([1, expect.stringContaining('SECRET_KEY')])
  const bytes = readFileSync(copyFile())
  const spoiled = Buffer.from(bytes)
  spoiled[spoiled.length - 40] = (spoiled[spoiled.length - 40] ?? 0) ^ 1
  writeFileSync(copyFile(), spoiled)
  expect((await voisol(['restore', 'latest'], urls)).code).toBe(1)
  writeFileSync(copyFile(), bytes)
  const { rows } = await queryAs(empty.ownerUrl, `select to_regclass('public.companies') as there`)
  expect(rows).toEqual([{ there: null }])
  await empty.drop()
  expect((await voisol(['restore'])).code).toBe(2)
})
