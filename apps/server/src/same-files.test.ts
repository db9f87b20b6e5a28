import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { startS3 } from '../test/s3.ts'
import { useServer } from '../test/server.ts'
import { folderStore } from './adapters/files/folder.ts'
import { s3Store } from './adapters/files/s3.ts'
import { OTHER_FILES, requireSameFiles, seesOtherFiles } from './same-files.ts'
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

test('in production it does not start, elsewhere it says so', async () => {
  await seesOtherFiles(machine('first'))
  const said: unknown[] = []
  const log = { warn: (...words: unknown[]) => void said.push(words[1]) }
  const start = (production: boolean) =>
    requireSameFiles({ ...machine('second'), config: { ...server.deps.config, production } }, log)
  await expect(start(true)).rejects.toBeInstanceOf(StartupError)
  expect(said).toEqual([])
  ;(await start(false))()
  expect(said).toEqual([OTHER_FILES])
})
