import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { startS3 } from '../test/s3.ts'
import { useServer } from '../test/server.ts'
import type { FileStore } from './adapters/files/files.ts'
import { folderStore } from './adapters/files/folder.ts'
import { s3Store } from './adapters/files/s3.ts'
import { NO_FILES, OTHER_FILES, requireSameFiles, seesOtherFiles } from './same-files.ts'
import { StartupError } from './startup-error.ts'

const server = useServer()
const root = mkdtempSync(join(tmpdir(), 'voisol-same-'))
const machine = (folder: string) => ({ db: server.db, files: folderStore(join(root, folder)) })
beforeEach(() => server.asOwner(`delete from status_samples where component like 'files %'`))
afterAll(() => rmSync(root, { recursive: true }))

test('processes that see the same folder start beside each other, one with a folder of its own is noticed by all', async () => {
  expect(await seesOtherFiles(machine('shared'))).toBe(false)
  expect(await seesOtherFiles(machine('shared'))).toBe(false)
  expect(await seesOtherFiles(machine('own'))).toBe(true)
  expect(await seesOtherFiles(machine('shared'))).toBe(true)
})

test('one that stopped three minutes ago is forgotten', async () => {
  await seesOtherFiles(machine('old'))
  await server.asOwner(`update status_samples set at = at - interval '3 minutes' where component like 'files %'`)
  expect(await seesOtherFiles(machine('new'))).toBe(false)
})

test('two machines with the same bucket see the same files', async () => {
  const s3 = await startS3()
  const files = s3Store(s3.settings)
  const other = s3Store(s3.settings)
  if (!files || !other) throw new Error('no bucket')
  expect(await seesOtherFiles({ db: server.db, files })).toBe(false)
  expect(await seesOtherFiles({ db: server.db, files: other })).toBe(false)
  expect(await seesOtherFiles(machine('folder'))).toBe(true)
  await s3.close()
})

const starting = (folder: string, production: boolean, patience: number) => {
  const said: unknown[] = []
  const log = { warn: (...words: unknown[]) => void said.push(words[1]) }
  const place = { ...machine(folder), config: { ...server.deps.config, production } }
  return { said, started: requireSameFiles(place, log, patience) }
}

test('in production it does not start beside one that goes on, elsewhere it says so', async () => {
  await seesOtherFiles(machine('first'))
  const { started } = starting('second', true, 300)
  let ended = false
  const refused = started.finally(() => {
    ended = true
  })
  const told = expect(refused).rejects.toBeInstanceOf(StartupError)
  // The other goes on saying what it sees, however busy the machine is.
  while (!ended) await seesOtherFiles(machine('first'))
  await told
  const { said, started: at } = starting('second', false, 1000)
  ;(await at)()
  expect(said).toEqual([OTHER_FILES])
})

test('beside one that has just stopped it starts once nobody says otherwise', async () => {
  await seesOtherFiles(machine('gone'))
  const { said, started } = starting('third', true, 200)
  ;(await started)()
  expect(said).toEqual([OTHER_FILES])
})

test('of several that come first to a store without conditions, each ends by seeing the same files', async () => {
  const s3 = await startS3()
  s3.forgetConditions()
  const places = [s3Store(s3.settings), s3Store(s3.settings)].map((files) => ({
    db: server.db,
    files: files as FileStore,
  }))
  const config = { ...server.deps.config, production: true }
  const log = { warn() {} }
  const stops = await Promise.all(places.map((place) => requireSameFiles({ ...place, config }, log, 1500)))
  for (const stop of stops) stop()
  await server.asOwner(`delete from status_samples where component like 'files %'`)
  expect(await Promise.all(places.map((place) => seesOtherFiles(place)))).toEqual([false, false])
  await s3.close()
})

test('files that refuse are said, and it starts', async () => {
  const s3 = await startS3()
  const files = s3Store({ ...s3.settings, FILES_S3_SECRET: 'faux' }) as FileStore
  const said: unknown[] = []
  const log = { warn: (...words: unknown[]) => void said.push(words[1]) }
  const config = { ...server.deps.config, production: true }
  ;(await requireSameFiles({ db: server.db, files, config }, log))()
  expect(said).toEqual([NO_FILES])
  await s3.close()
})
