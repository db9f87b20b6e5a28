import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeUser } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { listCopies, makeCopy, placeOf } from './backups.ts'

const server = useServer()
const VICTIM = join(import.meta.dirname, '../../../../test/copy-victim.ts')
const within = (folder: string) => {
  const path = join(server.deps.config.dataDir, folder)
  return existsSync(path) ? readdirSync(path) : []
}

test.each(['reading', 'placed'])('kill -9 while %s leaves nothing that looks like a copy', async (where) => {
  await makeUser(server.db)
  const { dataDir } = server.deps.config
  const child = spawn(process.execPath, [VICTIM, server.url, dataDir, where], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  // There is something to be taken for a copy.
  expect([...within('copy-drafts'), ...within('backups/copies')]).not.toEqual([])
  expect(await listCopies(placeOf(server.deps.config))).toEqual([])
  const { manifest } = await makeCopy(server.deps)
  expect((await listCopies(placeOf(server.deps.config))).map((sheet) => sheet.manifest.name)).toEqual([manifest.name])
  expect(within('copy-drafts')).toEqual([])
  for (const key of await placeOf(server.deps.config).list('copies')) await placeOf(server.deps.config).remove(key)
})
