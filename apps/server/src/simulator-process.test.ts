import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useServer } from '../test/server.ts'
import { waitUntil } from '../test/wait.ts'
import { startEnedisSimulator } from './simulator-process.ts'

const server = useServer()

test('runs beside the server at one address, restarts when it dies, and stops with the server', async () => {
  const { deps } = server
  const sandbox = startEnedisSimulator(deps)
  expect(deps.enedis.hosts.local).toBeNull()
  await waitUntil(() => deps.enedis.hosts.local ?? false)
  const url = deps.enedis.hosts.local
  const first = sandbox.pid()
  if (first === undefined) throw new Error('no process')
  expect((await fetch(`${url}/_sandbox/state`)).ok).toBe(true)
  process.kill(first, 'SIGKILL')
  await waitUntil(() => deps.enedis.hosts.local === null)
  await waitUntil(() => deps.enedis.hosts.local ?? false)
  expect(deps.enedis.hosts.local).toBe(url)
  expect(sandbox.pid()).not.toBe(first)
  await sandbox.stop()
  expect(deps.enedis.hosts.local).toBeNull()
  await expect(fetch(`${url}/_sandbox/state`)).rejects.toThrow()
  expect(existsSync(join(deps.config.dataDir, 'enedis-sandbox.json'))).toBe(true)
})
