import {
  chmodSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { backups } from '@voisol/contract/backups'
import { dataExports } from '@voisol/contract/exports'
import { openPersistentState } from '@voisol/simulator/simulator-store'
import { createTransport } from 'nodemailer'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { call } from '../test/client.ts'
import { findExposedEntries } from '../test/exposed-files.ts'
import { makeUser } from '../test/factories.ts'
import { makeParticipant } from '../test/factories-energy.ts'
import { waitForJobs } from '../test/jobs.ts'
import { useServer } from '../test/server.ts'
import { loadConfig } from './config.ts'
import { makeCopy } from './features/admin/backups/index.ts'
import { withDraftFolder, writeOutgoingFile } from './features/admin/connections/deliver-file.ts'
import { createFolderStore } from './integrations/files/files.ts'
import { createMailCatcher } from './integrations/mail/catcher.ts'
import { restrictDataFolder, restrictEntries } from './private-files.ts'

const server = useServer()
const root = mkdtempSync(join(tmpdir(), 'voisol-private-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
/** The least restrictive umask: only the program restricts its files. */
let before = 0
beforeEach(() => {
  before = process.umask(0)
})
afterEach(() => {
  process.umask(before)
})
const getFileMode = (path: string) => statSync(path).mode & 0o777

test('everything written into a data folder is private to its account', async () => {
  const dataDir = join(root, 'data')
  loadConfig({ DATA_DIR: dataDir })
  const files = createFolderStore(join(dataDir, 'files'))
  await files.put('7/ab/invoice', Buffer.from('x'), 'application/pdf')
  await files.add('7/ab/once', Buffer.from('x'), 'text/plain')
  const open = join(root, 'open')
  writeFileSync(open, 'x', { mode: 0o644 })
  await files.putFile('7/cd/copied', open, 'text/plain')
  const catcher = await createMailCatcher(join(dataDir, 'mail'))
  const post = createTransport(catcher.url)
  await post.sendMail({ from: 'a@exemple.fr', to: 'b@exemple.fr', subject: 'Facture', text: 'Bonjour' })
  post.close()
  await catcher.close()
  openPersistentState(join(dataDir, 'enedis-sandbox.json'), (held) => held).save()
  await makeCopy({ ...server.deps, config: { ...server.deps.config, dataDir, BACKUP_FOLDER: '' } })
  expect(findExposedEntries(dataDir)).toEqual([])
})

test('the drafts of exports, copies of a company and connections are private while they are written', async () => {
  const { deps } = server
  const { dataDir } = deps.config
  const admin = await makeUser(server.db)
  await makeParticipant(server.db, { companyId: admin.companyId })
  const found = new Map<string, string[]>()
  const note = (path: string) => {
    const [folder = ''] = relative(dataDir, path).split('/')
    found.set(
      folder,
      findExposedEntries(dataDir).filter((entry) => entry.startsWith(folder)),
    )
  }
  const { files } = deps
  deps.files = {
    ...files,
    putFile: (key, path, mediaType) => {
      note(path)
      return files.putFile(key, path, mediaType)
    },
  }
  await call(server, dataExports.create, { body: { dataSet: 'participants', format: 'jsonl' } }, admin)
  await call(server, backups.make, {}, admin)
  await waitForJobs(server)
  deps.files = files
  await withDraftFolder(deps.config, async (folder) => {
    note((await writeOutgoingFile(folder, 'releves.csv', 'text/csv', 'a;b')).path)
  })
  expect(Object.fromEntries(found)).toEqual({
    'export-drafts': [],
    'copy-drafts-company': [],
    'connection-drafts': [],
  })
})

test('every entry that the program creates in a data folder is restricted at start', () => {
  const sources = globSync('**/*.ts', { cwd: import.meta.dirname, exclude: ['**/*.test.ts'] })
  const names = sources.flatMap((name) => {
    const source = readFileSync(join(import.meta.dirname, name), 'utf8')
    return [...source.matchAll(/join\((?:[\w.]+\.)?dataDir, '([\w.-]+)'/g)].map(([, entry]) => String(entry))
  })
  expect(names).toEqual(expect.arrayContaining(['files', 'mail', 'backups', 'export-drafts', 'postgres']))
  const dataDir = join(root, 'entries')
  for (const name of names)
    mkdirSync(join(dataDir, name.endsWith('-') ? `${name}x` : name), { recursive: true, mode: 0o755 })
  restrictDataFolder(dataDir)
  expect(findExposedEntries(dataDir)).toEqual([])
})

/** A data folder with the permissions of an earlier version. */
function makeOpenFolder(name: string) {
  const dataDir = join(root, name)
  for (const folder of ['files/7/ab', 'mail', 'postgres/cluster/base'])
    mkdirSync(join(dataDir, folder), { recursive: true, mode: 0o755 })
  for (const file of [
    'files/7/ab/invoice',
    'mail/1.eml',
    'secret.key',
    'postgres/postgres.log',
    'postgres/cluster/base/1',
  ])
    writeFileSync(join(dataDir, file), 'x', { mode: 0o644 })
  return dataDir
}

test('a data folder of an earlier version is restricted at start, deeper entries in the background', async () => {
  const dataDir = makeOpenFolder('earlier')
  expect(findExposedEntries(dataDir)).not.toEqual([])
  expect(restrictDataFolder(dataDir)).toEqual([])
  expect(findExposedEntries(dataDir)).toEqual([
    'files/7 755',
    'files/7/ab 755',
    'files/7/ab/invoice 644',
    'mail/1.eml 644',
    'postgres/cluster 755',
    'postgres/postgres.log 644',
  ])
  expect(await restrictEntries(dataDir)).toBe(5)
  // PostgreSQL's files are restricted by its own account.
  expect(findExposedEntries(dataDir)).toEqual(['postgres/cluster 755'])
  expect(await restrictEntries(dataDir)).toBe(0)
})

test('no more entries are checked in one start than the limit', async () => {
  expect(await restrictEntries(makeOpenFolder('many'), 2)).toBe(2)
})

test('entries of others keep their rights: other files, shared folders, link targets', async () => {
  const dataDir = makeOpenFolder('shared')
  const letters = join(root, 'letters')
  mkdirSync(letters)
  writeFileSync(join(letters, 'letter'), 'x', { mode: 0o644 })
  symlinkSync(letters, join(dataDir, 'exports'))
  symlinkSync(letters, join(dataDir, 'files/linked'))
  symlinkSync(letters, join(dataDir, 'backups'))
  for (const name of ['photo.jpg', 'shared.json']) writeFileSync(join(dataDir, name), 'x', { mode: 0o644 })
  restrictDataFolder(dataDir)
  await restrictEntries(dataDir)
  const others = [letters, join(letters, 'letter'), join(dataDir, 'photo.jpg'), join(dataDir, 'shared.json')]
  const modes = [dataDir, ...others, join(dataDir, 'mail')].map(getFileMode)
  expect(modes.map((mode) => mode.toString(8))).toEqual(['755', '777', '644', '644', '644', '700'])
  const sticky = makeOpenFolder('sticky')
  chmodSync(sticky, 0o1777)
  restrictDataFolder(sticky)
  expect(getFileMode(sticky)).toBe(0o777)
})
