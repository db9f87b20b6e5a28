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
const OF_THE_MACHINE: Record<string, string> = {
  'GET /api/auth/sessions': 'when this session was last seen',
  'GET /api/profile/export': 'dated when it is asked for',
  'GET /api/status': 'what was measured since the start',
  'GET /api/installation/backups': 'the copy itself has been made since',
  'GET /api/installation/health': 'memory, disk and queue of this process',
  'GET /api/flows': 'what waits in the queue, which is not copied',
  'GET /api/gateway': 'these very calls are counted',
  'GET /api/gateway/installation': 'these very calls are counted',
  'GET /api/pdf/generate-api-docs': 'drawn and dated by each process',
}

/** What a call may have to be asked for, one way or the other; what it does not know it passes over. */
const SPAN = { from: '2025-08-01', to: '2025-11-01', format: 'csv', year: '2025', step: 'day' }
const ASKED = [{}, { ...SPAN, month: '2025-09' }, { ...SPAN, month: '2025-09-01' }]

type App = typeof server.app
/** What every list and sum of the API answers, each as a hash of its bytes. */
async function answersOf(app: App, token: string): Promise<Map<string, string>> {
  const all = new Map<string, string>()
  for (const e of endpoints) {
    if (e.method !== 'GET' || e.path.includes(':') || name(e) in OF_THE_MACHINE) continue
    const own = (restOf(e) as { query?: Record<string, string> }).query // as the loops of access ask
    let answer: { statusCode: number; rawPayload: Uint8Array } = { statusCode: 0, rawPayload: new Uint8Array() }
    for (const more of ASKED) {
      const query = { ...more, ...own }
      answer = await app.inject({ url: e.path, headers: { authorization: `Bearer ${token}` }, query })
      if (answer.statusCode === 200) break
    }
    const { statusCode, rawPayload } = answer
    // A refusal bears the number of its call.
    const told = statusCode === 200 ? createHash('sha256').update(rawPayload).digest('hex') : ''
    all.set(name(e), `${statusCode} ${told}`)
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
    const wrong = [...before].filter(([call, answer]) => after.get(call) !== answer).map((pair) => pair.join(' '))
    expect(wrong).toEqual([])
    const served = [...before.values()].filter((answer) => answer.startsWith('200 '))
    expect(served.length).toBeGreaterThan(before.size * 0.7)
  } finally {
    await app.close()
    await close()
    await drop()
  }
})
