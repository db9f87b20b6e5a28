import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { startS3Simulator } from '../test/s3.ts'
import { useServer } from '../test/server.ts'
import { createFolderStore, type FileStore } from './integrations/files/files.ts'
import { createS3Store } from './integrations/files/s3.ts'
import {
  announceFileStore,
  DIFFERENT_FILES_MESSAGE,
  FILES_NOT_ANNOUNCED_MESSAGE,
  FILES_UNAVAILABLE_MESSAGE,
  requireSameFiles,
} from './shared-file-store.ts'
import { createStartSteps, StartupError } from './startup.ts'

const server = useServer()
const root = mkdtempSync(join(tmpdir(), 'voisol-same-'))
const machine = (folder: string) => ({ db: server.db, files: createFolderStore(join(root, folder)) })
beforeEach(() => server.asOwner(`delete from status_samples where component like 'files %'`))
afterAll(() => rmSync(root, { recursive: true }))

test('processes with the same folder start together, one with its own is detected by all', async () => {
  expect(await announceFileStore(machine('shared'))).toBe(false)
  expect(await announceFileStore(machine('shared'))).toBe(false)
  expect(await announceFileStore(machine('own'))).toBe(true)
  expect(await announceFileStore(machine('shared'))).toBe(true)
})

test('a process that stopped three minutes ago is ignored', async () => {
  await announceFileStore(machine('old'))
  await server.asOwner(`update status_samples set at = at - interval '3 minutes' where component like 'files %'`)
  expect(await announceFileStore(machine('new'))).toBe(false)
})

test('two machines with the same bucket share their files', async () => {
  const s3 = await startS3Simulator()
  const files = createS3Store(s3.settings)
  const other = createS3Store(s3.settings)
  if (!files || !other) throw new Error('no bucket')
  expect(await announceFileStore({ db: server.db, files })).toBe(false)
  expect(await announceFileStore({ db: server.db, files: other })).toBe(false)
  expect(await announceFileStore(machine('folder'))).toBe(true)
  await s3.close()
})

const starting = (folder: string, production: boolean, patience: number) => {
  const said: unknown[] = []
  const log = { warn: (...words: unknown[]) => void said.push(words[1]) }
  const place = { ...machine(folder), config: { ...server.deps.config, production } }
  return { said, started: requireSameFiles(place, log, patience) }
}

/** A start whose first statement fails with this error of PostgreSQL. */
function startWithDatabase(error: Error) {
  let failures = 1
  const { $client } = server.db
  const query = (text: string, values?: unknown[]) =>
    failures-- > 0 ? Promise.reject(error) : $client.query(text, values)
  const { files } = machine('database')
  const db = Object.assign(Object.create(server.db), { $client: { query } })
  const said: unknown[] = []
  const log = { warn: (...words: unknown[]) => void said.push(words[1]) }
  return { said, start: () => requireSameFiles({ db, files, config: server.deps.config }, log) }
}

test('in production it does not start beside a running one, elsewhere it warns', async () => {
  await announceFileStore(machine('first'))
  const { started } = starting('second', true, 300)
  let ended = false
  const refused = started.finally(() => {
    ended = true
  })
  const told = expect(refused).rejects.toBeInstanceOf(StartupError)
  // The other keeps announcing its store, however busy the machine is.
  while (!ended) await announceFileStore(machine('first'))
  await told
  const { said, started: at } = starting('second', false, 1000)
  ;(await at)()
  expect(said).toEqual([DIFFERENT_FILES_MESSAGE])
})

test('after another has just stopped, it starts once nobody announces otherwise', async () => {
  await announceFileStore(machine('gone'))
  const { said, started } = starting('third', true, 200)
  ;(await started)()
  expect(said).toEqual([DIFFERENT_FILES_MESSAGE])
})

test('processes first to use a store without conditional writes end up with the same id', async () => {
  const s3 = await startS3Simulator()
  s3.forgetConditions()
  const places = [createS3Store(s3.settings), createS3Store(s3.settings)].map((files) => ({
    db: server.db,
    files: files as FileStore,
  }))
  const config = { ...server.deps.config, production: true }
  const log = { warn() {} }
  const stops = await Promise.all(places.map((place) => requireSameFiles({ ...place, config }, log, 1500)))
  for (const stop of stops) stop()
  await server.asOwner(`delete from status_samples where component like 'files %'`)
  expect(await Promise.all(places.map((place) => announceFileStore(place)))).toEqual([false, false])
  await s3.close()
})

test('a database that is away is not reported as failing files, and the step of the start tries again', async () => {
  const { said, start } = startWithDatabase(Object.assign(new Error('refused'), { code: '57P03' }))
  const lines: string[] = []
  const step = createStartSteps({ againMs: 1, say: (line) => lines.push(line) })
  ;(await step('examen des fichiers', start))()
  expect(said).toEqual([])
  expect(lines).toEqual([expect.stringContaining('examen des fichiers\u00a0: la base de données tarde à répondre')])
})

test('a database that refuses the announcement is named, and the process starts', async () => {
  const { said, start } = startWithDatabase(Object.assign(new Error('permission denied'), { code: '42501' }))
  ;(await start())()
  expect(said).toEqual([FILES_NOT_ANNOUNCED_MESSAGE])
})

test('a failing store is reported, and the process starts', async () => {
  const s3 = await startS3Simulator()
  const files = createS3Store({ ...s3.settings, FILES_S3_SECRET: 'faux' }) as FileStore
  const said: unknown[] = []
  const log = { warn: (...words: unknown[]) => void said.push(words[1]) }
  const config = { ...server.deps.config, production: true }
  ;(await requireSameFiles({ db: server.db, files, config }, log))()
  expect(said).toEqual([FILES_UNAVAILABLE_MESSAGE])
  await s3.close()
})
