import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { distributorFiles } from '@voisol/contract/distributor-files'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { syncSettings } from '../../../db/schema/index.ts'
import { collectDeposits } from './collect-folder.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'voisol-depot-')))
const server = useServer({ ENEDIS_FOLDERS: root })
afterAll(() => rmSync(root, { recursive: true, force: true }))
// Makes every file old enough to be complete.
beforeEach(() => {
  const real = Date.now
  vi.spyOn(Date, 'now').mockImplementation(() => real() + 11_000)
})
afterEach(() => void vi.restoreAllMocks())

async function makeWatched(named?: string) {
  const admin = await makeUser(server.db)
  const folder = join(root, String(admin.companyId))
  mkdirSync(folder)
  await server.db.insert(syncSettings).values({ companyId: admin.companyId, folder: named ?? folder })
  const taken = async () =>
    (await call(server, distributorFiles.list, { query: { size: '100' } }, admin)).body.items.map(
      (file: { name: string }) => file.name,
    )
  const told = async () => {
    const { rows } = await server.db.execute<{ code: string; message: string }>(
      sql`select code, fault->>'message' as message from sync_errors where company_id = ${admin.companyId}`,
    )
    return rows
  }
  return { ...admin, folder, taken, told }
}

test('a folder configured before the path rule, such as another company’s, is no longer read', async () => {
  const victim = await makeWatched()
  writeFileSync(join(victim.folder, 'F15.xml'), '<F15 a="1"/>')
  const { taken, told } = await makeWatched(victim.folder)
  await collectDeposits(server.deps)
  expect(await taken()).toEqual([])
  expect(await told()).toEqual([{ code: 'file-folder', message: expect.stringContaining('de votre organisation') }])
  expect(await victim.taken()).toEqual(['F15.xml'])
})

test('a folder replaced by a link since it was chosen is refused with its reason', async () => {
  const { folder, taken, told } = await makeWatched()
  const victim = join(root, 'secret')
  mkdirSync(victim)
  writeFileSync(join(victim, 'F15.xml'), '<F15 b="2"/>')
  renameSync(folder, `${folder}-avant`)
  symlinkSync(victim, folder)
  await collectDeposits(server.deps)
  expect(await taken()).toEqual([])
  expect(readdirSync(victim)).toEqual(['F15.xml'])
  expect(await told()).toEqual([{ code: 'file-folder', message: expect.stringContaining('passe par un lien') }])
})

test('a folder swapped for a link between two passes is refused, and read again once restored', async () => {
  const { folder, taken, told } = await makeWatched()
  const victim = join(root, 'echange')
  mkdirSync(victim)
  writeFileSync(join(victim, 'F15.xml'), '<F15 d="4"/>')
  writeFileSync(join(folder, 'avant.xml'), '<F15 e="5"/>')
  await collectDeposits(server.deps)
  expect(await taken()).toEqual(['avant.xml'])

  renameSync(folder, `${folder}-avant`)
  symlinkSync(victim, folder)
  for (const _ of ['a first look', 'a second one']) await collectDeposits(server.deps)
  expect(await taken()).toEqual(['avant.xml'])
  expect(readdirSync(victim)).toEqual(['F15.xml'])
  // The notification about the first file comes from a job that may run at any time.
  const ofTheFolder = (await told()).filter(({ code }) => code !== 'file-kind')
  expect(ofTheFolder).toEqual([{ code: 'file-folder', message: expect.stringContaining('passe par un lien') }])

  rmSync(folder)
  renameSync(`${folder}-avant`, folder)
  writeFileSync(join(folder, 'apres.xml'), '<F15 f="6"/>')
  await collectDeposits(server.deps)
  expect((await taken()).sort()).toEqual(['apres.xml', 'avant.xml'])
})

test('a symbolic or hard link is reported and left in place', async () => {
  const { folder, taken, told } = await makeWatched()
  const secret = join(root, 'secret.csv')
  writeFileSync(secret, 'secret')
  symlinkSync(secret, join(folder, 'mou.csv'))
  linkSync(secret, join(folder, 'dur.csv'))
  await collectDeposits(server.deps)
  expect(await taken()).toEqual([])
  const codes = (await told()).map(({ code, message }) => `${code} ${message.includes('.csv est un lien')}`)
  expect(codes).toEqual(['file-link true', 'file-link true'])
  expect(readdirSync(folder).sort()).toEqual(['dur.csv', 'mou.csv'])
})

test('moving a file aside neither follows a link nor overwrites another file', async () => {
  const { folder, told } = await makeWatched()
  const elsewhere = join(root, 'autre')
  mkdirSync(elsewhere)
  symlinkSync(elsewhere, join(folder, 'ecartes'))
  writeFileSync(join(folder, 'F15.xml'), '<F15 c="3"/>')
  await waitUntil(async () => {
    await collectDeposits(server.deps)
    return (await told()).some(({ message }) => message.includes('passe par un lien'))
  })
  expect(readdirSync(elsewhere)).toEqual([])

  const precious = join(root, 'precieux.txt')
  writeFileSync(precious, 'intact')
  rmSync(join(folder, 'ecartes'))
  mkdirSync(join(folder, 'ecartes'))
  symlinkSync(precious, join(folder, 'ecartes', 'F15.xml.raison.txt'))
  await collectDeposits(server.deps)
  expect(existsSync(join(folder, 'F15.xml'))).toBe(false)
  expect(readdirSync(join(folder, 'ecartes')).sort()).toEqual([
    expect.stringMatching(/^F15-[0-9a-f]{8}\.xml$/),
    expect.stringMatching(/^F15-[0-9a-f]{8}\.xml\.raison\.txt$/),
    'F15.xml.raison.txt',
  ])
  expect(readFileSync(precious, 'utf8')).toBe('intact')
})
