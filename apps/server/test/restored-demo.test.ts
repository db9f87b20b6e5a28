import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { endpoints } from '@voisol/contract'
import type { Endpoint } from '@voisol/contract/endpoint'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { buildApp } from '../src/app.ts'
import { loadConfig } from '../src/config.ts'
import { startEmbedded } from '../src/db/embedded.ts'
import { openDeps } from '../src/deps.ts'
import { findSource, keyOf, makeCopy, placeOf, restoreCopy } from '../src/features/administration/backups/backups.ts'
import { fillDemo } from '../src/features/administration/demo/fill.ts'
import { smallScale } from '../src/world/scale.ts'
import { name, restOf } from './access-bodies.ts'
import { queryAs } from './database.ts'
import { openFolder } from './demo-data.ts'
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
  'GET /api/installation/health/history': 'measured every minute, also since the copy',
  'GET /api/gateway': 'these very calls are counted',
  'GET /api/gateway/installation': 'these very calls are counted',
  'GET /api/pdf/generate-api-docs': 'drawn and dated by each process',
  'GET /api/usage': 'these very calls, and what was sent and kept since, are counted',
  'GET /api/usage/export': 'these very calls, and what was sent and kept since, are counted',
  'GET /api/retention/register': 'drawn and dated when it is asked for',
  'GET /api/retention/consent-pack': 'drawn and dated when it is asked for',
  'GET /api/mails/sample': 'its links name the address of this process',
}

/** What a call may have to be asked for, one way or the other; what it does not know it passes over. */
const SPAN = { from: '2025-08-01', to: '2025-11-01', format: 'csv', year: '2025', step: 'day' }
const ASKED = [{}, { ...SPAN, month: '2025-09' }, { ...SPAN, month: '2025-09-01' }]

type App = typeof server.app
type Answer = { statusCode: number; rawPayload: Uint8Array }

async function ask(app: App, token: string, e: Endpoint): Promise<string> {
  const own = (restOf(e) as { query?: Record<string, string> }).query // as the loops of access ask
  let answer: Answer = { statusCode: 0, rawPayload: new Uint8Array() }
  for (const more of ASKED) {
    const query = { ...more, ...own }
    answer = await app.inject({ url: e.path, headers: { authorization: `Bearer ${token}` }, query })
    if (answer.statusCode === 200) break
  }
  const { statusCode, rawPayload } = answer
  // A refusal bears the number of its call.
  const told = statusCode === 200 ? createHash('sha256').update(rawPayload).digest('hex') : ''
  return `${statusCode} ${told}`
}

/** Every list and sum of the API, asked of both at the same moment, each as a hash of its bytes. */
async function compare(here: App, there: App, token: string) {
  const [wrong, all, served] = [[] as string[], [] as string[], [] as string[]]
  for (const e of endpoints) {
    if (e.method !== 'GET' || e.path.includes(':') || name(e) in OF_THE_MACHINE) continue
    const [mine, theirs] = [await ask(here, token, e), await ask(there, token, e)]
    all.push(name(e))
    if (mine.startsWith('200 ')) served.push(name(e))
    if (mine !== theirs) wrong.push(`${name(e)}: ${mine} here, ${theirs} there`)
  }
  return { wrong, all, served }
}

const folder = openFolder('voisol-elsewhere-')
afterAll(() => rmSync(folder, { recursive: true, force: true }))
/** Which PostgreSQL answers: each cluster bears the number it was made with. */
const CLUSTER = 'select system_identifier::text as cluster from pg_control_system()'

/** An installation that has nothing of this one but a copy and its two keys. */
async function openElsewhere() {
  const { secretKey, dataDir } = server.deps.config
  const keys = { SECRET_KEY: secretKey.toString('base64'), BACKUP_KEY: keyOf(server.deps.config) }
  const quiet = { NODE_ENV: 'test', LOG_LEVEL: 'silent', WEB: 'off', COMPUTE_THREADS: '1' }
  const config = loadConfig({
    ...quiet,
    ...keys,
    BACKUP_FOLDER: join(dataDir, 'backups'),
    DATA_DIR: join(folder, 'data'),
  })
  const postgres = await startEmbedded(join(folder, 'postgres'))
  return { config, postgres }
}

test('a copy of the demo, restored on another PostgreSQL, answers the same figures hash for hash', {
  timeout: 600_000,
}, async () => {
  const keeper = await makeSiteAdmin(server.db)
  await fillDemo(server.deps, { companyId: keeper.companyId, today: ANCHOR, scale })
  await jobsEnd(server)
  await makeCopy(server.deps)
  const { config, postgres } = await openElsewhere()
  try {
    const { url, ownerUrl } = postgres
    expect((await queryAs(ownerUrl, CLUSTER)).rows).not.toEqual((await server.asOwner(CLUSTER)).rows)
    const { source } = await findSource(placeOf(config), 'latest')
    const { deps, close } = openDeps(config, url, pino({ level: 'silent' }))
    await restoreCopy({ source, key: keyOf(config), secretKey: config.secretKey, url, ownerUrl, files: deps.files })
    const app = await buildApp(deps)
    await app.ready()
    const { wrong, all, served } = await compare(server.app, app, keeper.token)
    await app.close()
    await close()
    expect(wrong).toEqual([])
    expect(served.length).toBeGreaterThan(all.length * 0.7)
  } finally {
    await postgres.stop()
  }
})
