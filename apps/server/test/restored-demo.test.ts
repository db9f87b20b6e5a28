import { createHash } from 'node:crypto'
import { endpoints } from '@voisol/contract'
import { pino } from 'pino'
import { expect, inject, test } from 'vitest'
import { buildApp } from '../src/app.ts'
import { openDeps } from '../src/deps.ts'
import { findSource, keyOf, makeCopy, placeOf, restoreCopy } from '../src/features/administration/backups/backups.ts'
import { fillDemo } from '../src/features/administration/demo/fill.ts'
import { smallScale } from '../src/world/scale.ts'
import { name, restOf } from './access-bodies.ts'
import { createDatabase } from './database.ts'
import { makeSiteAdmin } from './factories.ts'
import { jobsEnd } from './jobs.ts'
import { useServer } from './server.ts'

const server = useServer()
const ANCHOR = '2025-11-05'
const scale = (anchor: string) => ({ ...smallScale(anchor, 3), homes: 7 })

/** Those that tell of the machine or of this very moment, and not of what is kept. */
const OF_THE_MACHINE: Record<string, string> = {}

type App = typeof server.app
/** What every list and sum of the API answers, each as a hash of its bytes. */
async function answersOf(app: App, token: string): Promise<Map<string, string>> {
  const all = new Map<string, string>()
  for (const e of endpoints) {
    if (e.method !== 'GET' || e.path.includes(':') || name(e) in OF_THE_MACHINE) continue
    const query = (restOf(e) as { query?: Record<string, string> }).query // as the loops of access ask
    const headers = { authorization: `Bearer ${token}` }
    const { statusCode, rawPayload } = await app.inject({ url: e.path, headers, ...(query && { query }) })
    all.set(name(e), `${statusCode} ${createHash('sha256').update(rawPayload).digest('hex')}`)
  }
  return all
}

test('a copy of the demo, restored on another database, answers the same figures hash for hash', {
  timeout: 600_000,
}, async () => {
  const keeper = await makeSiteAdmin(server.db)
  await fillDemo(server.deps, { companyId: keeper.companyId, today: ANCHOR, scale })
  await jobsEnd(server)
  const before = await answersOf(server.app, keeper.token)
  const { config } = server.deps
  await makeCopy(server.deps)
  const { source } = await findSource(placeOf(config), 'latest')
  const { url, ownerUrl, drop } = await createDatabase(inject('postgres'), 'template0')
  await restoreCopy({ source, key: keyOf(config), secretKey: config.secretKey, url, ownerUrl })
  const { deps, close } = openDeps(config, url, pino({ level: 'silent' }))
  const app = await buildApp(deps)
  await app.ready()
  try {
    const after = await answersOf(app, keeper.token)
    const wrong = [...before].filter(([call, hash]) => after.get(call) !== hash).map(([call]) => call)
    expect(wrong).toEqual([])
    const served = [...before.values()].filter((answer) => answer.startsWith('200 '))
    expect(served.length).toBeGreaterThan(before.size * 0.7)
  } finally {
    await app.close()
    await close()
    await drop()
  }
})
