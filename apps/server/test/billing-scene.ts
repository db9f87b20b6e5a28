import { randomUUID } from 'node:crypto'
import { webhooks } from '@voisol/contract/webhooks'
import { sql } from 'drizzle-orm'
import { call, type TestServer } from './client.ts'
import { makeUser } from './factories.ts'
import { makeSalesFixture, signAllMandates } from './factories-bank.ts'
import { allocateBillableMonth, makeBillableMonth } from './factories-billing.ts'
import { makeOperation } from './factories-operations.ts'
import { fillDatabase } from './killed-server.ts'
import type { SuiteDatabase } from './own-database.ts'

const WEBHOOK_EVENTS = ['operation.created', 'month.closed']

<<<<<<< HEAD
=======
/** The environment of a server on the database and folder of this test. */
export const buildServerEnv = (folder: string, smtpUrl: string, secretKey: string, port: number) => ({
  NODE_ENV: 'test',
  DATA_DIR: join(folder, 'data'),
  PORT: String(port),
  SMTP_URL: smtpUrl,
  SECRET_KEY: secretKey,
  LOG_LEVEL: 'error',
  WEB: 'off',
  COMPUTE_THREADS: '1',
})

>>>>>>> 025608bf (test(server): titles and comments of apps/server/test say subject, condition and result)
async function makeWebhook(server: TestServer, token: string, port: number) {
  const { body } = await call(
    server,
    webhooks.create,
    { body: { url: 'https://exemple.fr/', events: WEBHOOK_EVENTS } },
    { token },
  )
  await server.db.execute(sql`update webhooks set url = ${`http://127.0.0.1:${port}/`} where id = ${body.id}`)
}

const IMPORT_HEADER = 'Organisation;PRM;Rôle;Segment;Date d’entrée'
const buildParticipantFile = (round: number, lines: number) => {
  const prm = (n: number) => String(27_600_000_000_000 + round * 1000 + n)
  const rows = Array.from({ length: lines }, (_, n) => `Voisin ${round}-${n};${prm(n)};Consommateur;C5;07/03/2026`)
  return [IMPORT_HEADER, ...rows].join('\n')
}

/**
 * A month to close and issue, invoices to debit, a participant file to import and a webhook receiver, each for one
 * company.
 */
async function makeBillingRound(server: TestServer, round: number, receiverPort: number, lines: number) {
  const month = await makeBillableMonth(server)
  await allocateBillableMonth(server, month)
  await makeWebhook(server, month.token, receiverPort)
  const sales = await makeSalesFixture(server, { members: 3 })
  await signAllMandates(server, sales)
  const user = await makeUser(server.db)
  await makeWebhook(server, user.token, receiverPort)
  const { id: operationId } = await makeOperation(server.db, { companyId: user.companyId })
  return { month, sales, importer: { ...user, operationId, file: buildParticipantFile(round, lines), lines } }
}
export type BillingRound = Awaited<ReturnType<typeof makeBillingRound>>

<<<<<<< HEAD
type RoundsOptions = { rounds: number; receiverPort: number; lines: number }

/** Rounds for servers that are killed at this database. */
export const makeBillingRounds = (
  postgres: SuiteDatabase,
  env: Record<string, string>,
  { rounds, receiverPort, lines }: RoundsOptions,
): Promise<BillingRound[]> =>
  fillDatabase(postgres, env, async (server) => {
=======
/** Prepares and fills the database, then leaves it to the servers that are killed. */
export async function makeBillingRounds(
  postgres: SuiteDatabase,
  env: Record<string, string>,
  { rounds, receiverPort, lines }: { rounds: number; receiverPort: number; lines: number },
): Promise<BillingRound[]> {
  const { deps, close } = openDeps(loadConfig(env), postgres.url, pino({ level: 'silent' }))
  await prepareDatabase(deps.db, postgres)
  await recordTableDistribution(deps.db, deps.aside)
  const queue = await startQueue(deps, postgres.url, jobs, true)
  const app = await buildApp(deps)
  try {
    await app.ready()
    const server = { app, deps, db: deps.db } as unknown as TestServer // what these factories use
>>>>>>> 025608bf (test(server): titles and comments of apps/server/test say subject, condition and result)
    const made: BillingRound[] = []
    for (let round = 0; round < rounds; round++) made.push(await makeBillingRound(server, round, receiverPort, lines))
    return made
  })

/** A client that retries a call with the same key until it is acknowledged, whatever happens to the server. */
export function createRetryingCaller(base: string, token: string, counts: { cut: number }) {
  const authorization = `Bearer ${token}`
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what the server really sent
  return async (path: string, body: object | string = {}): Promise<any> => {
    const type = typeof body === 'string' ? 'application/octet-stream' : 'application/json'
    const headers = { authorization, 'content-type': type, 'idempotency-key': randomUUID() }
    const content = typeof body === 'string' ? body : JSON.stringify(body)
    for (;;) {
      const answer = await fetch(`${base}${path}`, { method: 'POST', headers, body: content }).catch((error) => {
        // Refused before it was sent, or aborted while it was processed.
        if (String(error.cause?.code) !== 'ECONNREFUSED') counts.cut++
        return undefined
      })
      const text = await answer?.text().catch(() => undefined)
      if (answer?.ok && text !== undefined) return JSON.parse(text)
      if (answer && !answer.ok && answer.status !== 503) throw new Error(`${path}: ${answer.status} ${text}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}
