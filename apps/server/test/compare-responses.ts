import { createHash } from 'node:crypto'
import { endpoints } from '@voisol/contract'
import type { Endpoint } from '@voisol/contract/endpoint'
import { buildValidInput, formatEndpoint } from './access-bodies.ts'
import type { TestServer } from './client.ts'

/** Calls whose answer depends on the machine or the moment rather than on stored data. */
const PROCESS_DEPENDENT_CALLS: Record<string, string> = {
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

/** Parameters that calls may need; unknown ones are ignored. */
const PERIOD_QUERY = { from: '2025-08-01', to: '2025-11-01', format: 'csv', year: '2025', step: 'day' }
const CANDIDATE_QUERIES = [{}, { ...PERIOD_QUERY, month: '2025-09' }, { ...PERIOD_QUERY, month: '2025-09-01' }]

type App = TestServer['app']
type InjectResponse = { statusCode: number; rawPayload: Uint8Array }

async function requestResponseHash(app: App, token: string, e: Endpoint): Promise<string> {
  const own = (buildValidInput(e) as { query?: Record<string, string> }).query // the query of the access tests
  let answer: InjectResponse = { statusCode: 0, rawPayload: new Uint8Array() }
  for (const more of CANDIDATE_QUERIES) {
    const query = { ...more, ...own }
    answer = await app.inject({ url: e.path, headers: { authorization: `Bearer ${token}` }, query })
    if (answer.statusCode === 200) break
  }
  const { statusCode, rawPayload } = answer
  // An error contains the id of its call.
  const told = statusCode === 200 ? createHash('sha256').update(rawPayload).digest('hex') : ''
  return `${statusCode} ${told}`
}

/** Compares every list and sum of the API between two servers, as hashes of the answers. */
export async function compareAllResponses(here: App, there: App, token: string) {
  const [wrong, all, served] = [[] as string[], [] as string[], [] as string[]]
  for (const e of endpoints) {
    if (e.method !== 'GET' || e.path.includes(':') || formatEndpoint(e) in PROCESS_DEPENDENT_CALLS) continue
    const [mine, theirs] = [await requestResponseHash(here, token, e), await requestResponseHash(there, token, e)]
    all.push(formatEndpoint(e))
    if (mine.startsWith('200 ')) served.push(formatEndpoint(e))
    if (mine !== theirs) wrong.push(`${formatEndpoint(e)}: ${mine} here, ${theirs} there`)
  }
  return { wrong, all, served }
}
