import { sql } from 'drizzle-orm'
import { pino } from 'pino'
import { loadConfig } from '../src/config.ts'
import { recordTableDistribution } from '../src/db/citus.ts'
import { type Db, transaction } from '../src/db/client.ts'
import { openDeps } from '../src/deps.ts'
import { deliverEvents } from '../src/events/deliver-events.ts'
import { recordEvent } from '../src/events/events.ts'
import { defineSubscriber, type Subscriber } from '../src/events/subscriber.ts'
import { subscribers } from '../src/events/subscribers.ts'
import { defineJob } from '../src/jobs/job.ts'
import { startQueue } from '../src/jobs/queue.ts'
import { jobs } from '../src/jobs/registry.ts'

/** A process that records many events while subscribers handle them, to be killed at any moment. */
const [, , url = '', dataDir = '', writers = '0'] = process.argv
const config = loadConfig({ NODE_ENV: 'test', DATA_DIR: dataDir, SMTP_URL: 'smtp://127.0.0.1:1', WEB: 'off' })
const { deps } = openDeps(config, url, pino({ level: 'silent' }))
await recordTableDistribution(deps.db, deps.aside)

type StormThing = { companyId: number; id: string; userId: string }
const { rows: stormThings } = await deps.db.execute<StormThing>(
  sql`select company_id as "companyId", id, user_id as "userId" from storm_things order by id`,
)

/** Records events with a sequence number of its own, so that duplicates and wrong order show. */
const createListener = (name: string): Subscriber =>
  defineSubscriber({
    name,
    on: ['operation.created'],
    async handle(tx, _, { companyId, object, data }) {
      await tx.execute(
        sql`insert into storm_heard (subscriber, company_id, object, n) values (${name}, ${companyId}, ${object}, ${Number(data.name)})`,
      )
    },
  })
const allSubscribers = [...subscribers, createListener('storm one'), createListener('storm two')]

// Messages and webhooks are created but not sent, since there is no receiver.
const muteJob = <J extends (typeof jobs)[keyof typeof jobs]>({ input }: J) => defineJob({ input, run: async () => {} })
const stormJobs = {
  ...jobs,
  'mail.send': muteJob(jobs['mail.send']),
  'webhooks.deliver': muteJob(jobs['webhooks.deliver']),
  'events.deliver': defineJob({
    input: jobs['events.deliver'].input,
    follows: true,
    parallel: 4,
    run: (own, data) => deliverEvents(own, (data as { companyId: number }).companyId, allSubscribers), // its own input
  }),
}

/** The counter of an object and the event about it are one transaction. */
const recordChange = (db: Db, { companyId, id, userId }: StormThing) =>
  transaction(db, async (tx) => {
    const { rows } = await tx.execute<{ n: number }>(
      sql`update storm_things set n = n + 1 where id = ${id} returning n`,
    )
    const data = { operationId: id, name: String(rows[0]?.n), status: 'draft' } as const
    await recordEvent(tx, { companyId, name: 'operation.created', object: id, data })
    await recordEvent(tx, { companyId, name: 'invitation.accepted', object: userId, data: { userId } })
    if (Math.random() < 0.1) throw new Error('changed my mind')
  }).catch(() => {})

await startQueue(deps, url, stormJobs, true)
console.log('working')
const writeForever = async () => {
  for (;;) {
    const thing = stormThings[Math.floor(Math.random() * stormThings.length)]
    if (thing) await recordChange(deps.db, thing)
  }
}
await Promise.all(Array.from({ length: Number(writers) }, writeForever))
