import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { distributorFiles } from '@voisol/contract/distributor-files'
import { buildR63, buildR63Rows } from '@voisol/file-formats/testing/r63-files'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { buildR151 } from '../../../../test/factories-distributor.ts'
import { makeMeter } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { syncSettings } from '../../../db/schema/index.ts'
import { collectDeposits } from './collect-folder.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'voisol-depot-')))
const outside = mkdtempSync(join(tmpdir(), 'voisol-ailleurs-'))
const server = useServer({ ENEDIS_FOLDERS: root })
let folder: string
let admin: Awaited<ReturnType<typeof makeUser>>
beforeAll(async () => {
  admin = await makeUser(server.db)
  folder = join(root, String(admin.companyId))
  mkdirSync(folder)
  await server.db.insert(syncSettings).values({ companyId: admin.companyId, folder })
})
afterAll(() => {
  rmSync(root, { recursive: true, force: true })
  rmSync(outside, { recursive: true, force: true })
})
// Advances the clock, so that a file is old enough to be read.
let later = 0
beforeEach(() => {
  const real = Date.now
  vi.spyOn(Date, 'now').mockImplementation(() => real() + later)
})
afterEach(() => {
  later = 0
  vi.restoreAllMocks()
})

const list = async () => (await call(server, distributorFiles.list, { query: { size: '100' } }, admin)).body.items
const tree = (path = folder): string[] =>
  readdirSync(path, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? tree(join(path, entry.name)) : [join(path, entry.name)]))
    .map((name) => name.replace(`${folder}/`, ''))
    .sort()

test('reads complete files, moves them by result, and ignores links and folders', async () => {
  const point = await makeMeter(server.db, { companyId: admin.companyId })
  writeFileSync(join(folder, 'R151.xml'), buildR151(point.prm, '2026-02-02', 5))
  writeFileSync(join(folder, 'F15.xml'), '<F15/>')
  writeFileSync(join(folder, '.cache'), 'x')
  writeFileSync(join(outside, 'secret.csv'), buildR63(buildR63Rows(point.prm, '2026-02-02', () => 1)))
  symlinkSync(join(outside, 'secret.csv'), join(folder, 'lien.csv'))
  mkdirSync(join(folder, 'sous-dossier'))
  writeFileSync(join(folder, 'sous-dossier', 'R151.xml'), buildR151(point.prm, '2026-02-03', 6))

  await collectDeposits(server.deps)
  expect(await list()).toEqual([])

  later = 11_000
  await collectDeposits(server.deps)
  await waitUntil(async () => {
    await collectDeposits(server.deps)
    return tree().includes('traites/R151.xml') && tree().includes('ecartes/F15.xml')
  })
  expect(tree()).toEqual([
    '.cache',
    'ecartes/F15.xml',
    'ecartes/F15.xml.raison.txt',
    'lien.csv',
    'sous-dossier/R151.xml',
    'traites/R151.xml',
  ])
  expect(readFileSync(join(folder, 'ecartes/F15.xml.raison.txt'), 'utf8')).toContain('flux F15')
  const files = await list()
  expect(files.map((file: Record<string, string>) => `${file.name} ${file.status} ${file.source}`).sort()).toEqual([
    'F15.xml quarantined folder',
    'R151.xml decoded folder',
  ])

  // The same content is the same file; other content under that name is stored beside it.
  writeFileSync(join(folder, 'R151.xml'), buildR151(point.prm, '2026-02-02', 5))
  await collectDeposits(server.deps)
  expect(await list()).toHaveLength(2)
  expect(tree().filter((name) => name.startsWith('traites/'))).toEqual([
    expect.stringMatching(/^traites\/R151-[0-9a-f]{8}\.xml$/),
    'traites/R151.xml',
  ])
})

test('puts aside an ambiguous file from the folder and asks a person', async () => {
  const point = await makeMeter(server.db, { companyId: admin.companyId })
  writeFileSync(join(folder, 'suivi.csv'), `Horodate;${point.prm}\n2026-02-02 00:00;37\n2026-02-02 00:15;41\n`)
  later = 11_000
  await waitUntil(async () => {
    await collectDeposits(server.deps)
    return tree().includes('ecartes/suivi.csv.raison.txt')
  })
  expect(readFileSync(join(folder, 'ecartes/suivi.csv.raison.txt'), 'utf8')).toContain(
    'que vous disiez comment le lire',
  )
  const { rows } = await server.db.execute(
    sql`select name, (select count(*)::int from curve_days where company_id = ${admin.companyId}) as days
      from curve_imports where company_id = ${admin.companyId}`,
  )
  expect(rows).toEqual([{ name: 'suivi.csv', days: 0 }])
})

test('reports a missing folder once and reads the other folders', async () => {
  const other = await makeUser(server.db)
  await server.db
    .insert(syncSettings)
    .values({ companyId: other.companyId, folder: join(root, String(other.companyId)) })
  await collectDeposits(server.deps)
  await collectDeposits(server.deps)
  const { rows } = await server.db.execute(
    sql`select code, times >= 2 as again from sync_errors where company_id = ${other.companyId}`,
  )
  expect(rows).toEqual([{ code: 'file-folder', again: true }])
})
