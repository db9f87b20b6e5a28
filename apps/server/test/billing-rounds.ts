import { randomUUID } from 'node:crypto'
import { webhooks } from '@voisol/contract/webhooks'
import { sql } from 'drizzle-orm'
import { call, type TestServer } from './client.ts'
import { makeUser } from './factories.ts'
import { makeSalesFixture, signAllMandates } from './factories-bank.ts'
import { allocateBillableMonth, makeBillableMonth } from './factories-billing.ts'
import { makeOperation } from './factories-energy.ts'
import { fillDatabase } from './killed-server.ts'
import type { SuiteDatabase } from './suite-database.ts'

const WEBHOOK_EVENTS = ['operation.created', 'month.closed']

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

/** A month to close and issue, invoices to collect, a file of participants to import and somebody who is told, each for one company. */
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

type RoundsOptions = { rounds: number; receiverPort: number; lines: number }

/** Rounds for servers that are killed at this database. */
export const makeBillingRounds = (
  postgres: SuiteDatabase,
  env: Record<string, string>,
  { rounds, receiverPort, lines }: RoundsOptions,
): Promise<BillingRound[]> =>
  fillDatabase(postgres, env, async (server) => {
    const made: BillingRound[] = []
    for (let round = 0; round < rounds; round++) made.push(await makeBillingRound(server, round, receiverPort, lines))
    return made
  })

/** A caller who repeats a call under one key until it is acknowledged, whatever happens to the server meanwhile. */
export function createRetryingCaller(base: string, token: string, counts: { cut: number }) {
  const authorization = `Bearer ${token}`
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what the server really sent
  return async (path: string, body: object | string = {}): Promise<any> => {
    const type = typeof body === 'string' ? 'application/octet-stream' : 'application/json'
    const headers = { authorization, 'content-type': type, 'idempotency-key': randomUUID() }
    const content = typeof body === 'string' ? body : JSON.stringify(body)
    for (;;) {
      const answer = await fetch(`${base}${path}`, { method: 'POST', headers, body: content }).catch((error) => {
        // Refused before it was sent, or cut while it was at work.
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
