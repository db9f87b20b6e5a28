import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { webhooks } from '@voisol/contract/webhooks'
import { sql } from 'drizzle-orm'
import { pino } from 'pino'
import { buildApp } from '../src/app.ts'
import { loadConfig } from '../src/config.ts'
import { noteSpread } from '../src/db/spread.ts'
import { openDeps } from '../src/deps.ts'
import { startQueue, stopQueue } from '../src/jobs/queue.ts'
import { jobs } from '../src/jobs/registry.ts'
import { prepareDatabase } from '../src/prepare-database.ts'
import { call, type Server } from './client.ts'
import { makeUser } from './factories.ts'
import { makeSales, signAll } from './factories-bank.ts'
import { billable, computeFor } from './factories-billing.ts'
import { makeOperation } from './factories-operations.ts'
import type { OwnDatabase } from './own-database.ts'

const EVENTS = ['operation.created', 'month.closed']

/** What a server needs to work on the database and the folder of the scene. */
export const environmentOf = (folder: string, smtpUrl: string, secretKey: string, port: number) => ({
  NODE_ENV: 'test',
  DATA_DIR: join(folder, 'data'),
  PORT: String(port),
  SMTP_URL: smtpUrl,
  SECRET_KEY: secretKey,
  LOG_LEVEL: 'error',
  WEB: 'off',
  COMPUTE_THREADS: '1',
})

async function makeHook(server: Server, token: string, port: number) {
  const { body } = await call(
    server,
    webhooks.create,
    { body: { url: 'https://exemple.fr/', events: EVENTS } },
    { token },
  )
  await server.db.execute(sql`update webhooks set url = ${`http://127.0.0.1:${port}/`} where id = ${body.id}`)
}

const header = 'Organisation;PRM;Rôle;Segment;Date d’entrée'
const participantFile = (round: number, lines: number) => {
  const prm = (n: number) => String(27_600_000_000_000 + round * 1000 + n)
  const rows = Array.from({ length: lines }, (_, n) => `Voisin ${round}-${n};${prm(n)};Consommateur;C5;07/03/2026`)
  return [header, ...rows].join('\n')
}

/** A month to close and issue, invoices to collect, a file of participants to import and somebody who is told, each for one company. */
async function makeRound(server: Server, round: number, receiverPort: number, lines: number) {
  const month = await billable(server)
  await computeFor(server, month)
  await makeHook(server, month.token, receiverPort)
  const sales = await makeSales(server, { members: 3 })
  await signAll(server, sales)
  const user = await makeUser(server.db)
  await makeHook(server, user.token, receiverPort)
  const { id: operationId } = await makeOperation(server.db, { companyId: user.companyId })
  return { month, sales, importer: { ...user, operationId, file: participantFile(round, lines), lines } }
}
export type Round = Awaited<ReturnType<typeof makeRound>>

/** Prepares the database and fills it, then leaves it to the servers that are killed on it. */
export async function makeRounds(
  postgres: OwnDatabase,
  env: Record<string, string>,
  { rounds, receiverPort, lines }: { rounds: number; receiverPort: number; lines: number },
): Promise<Round[]> {
  const { deps, close } = openDeps(loadConfig(env), postgres.url, pino({ level: 'silent' }))
  await prepareDatabase(deps.db, postgres)
  await noteSpread(deps.db, deps.aside)
  const queue = await startQueue(deps, postgres.url, jobs, true)
  const app = await buildApp(deps)
  try {
    await app.ready()
    const server = { app, deps, db: deps.db } as unknown as Server // all that these factories use
    const made: Round[] = []
    for (let round = 0; round < rounds; round++) made.push(await makeRound(server, round, receiverPort, lines))
    return made
  } finally {
    await app.close()
    await stopQueue(queue)
    await close()
  }
}

/** A caller who repeats a call under one key until it is acknowledged, whatever happens to the server meanwhile. */
export function createCaller(base: string, token: string, counts: { cut: number }) {
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
