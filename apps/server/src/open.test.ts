import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadConfig } from './config.ts'
import { createLogger } from './http/logging.ts'
import { createClosers, openInstallation } from './open.ts'
import { createStartSteps, StartupError } from './startup.ts'

const root = mkdtempSync(join(tmpdir(), 'voisol-open-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

test('a database address without a listener stops the start at once with a sentence', async () => {
  const lines: string[] = []
  const closers = createClosers()
  const config = loadConfig({ DATA_DIR: root, DATABASE_URL: 'postgres://voisol@127.0.0.1:1/voisol' })
  const step = createStartSteps({ everyMs: 60_000, patienceMs: 300, againMs: 1, say: (line) => lines.push(line) })
  const failure = await openInstallation(config, createLogger('silent'), closers, { step }).catch(
    (error: unknown) => error,
  )
  await closers.close()
  expect(failure).toBeInstanceOf(StartupError)
  expect(String(failure)).toMatch(/La base de données ne répond pas.*ECONNREFUSED/)
  expect(lines).toEqual([])
})
