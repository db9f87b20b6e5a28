import { loadavg } from 'node:os'
import { sql } from 'drizzle-orm'
import { type Db, transaction } from '../src/db/client.ts'
import { flowRules, webhooks } from '../src/db/schema/index.ts'
import { countDeliveredEvents, deliverEvents } from '../src/events/deliver-events.ts'
import { defineSubscriber, type Subscriber } from '../src/events/subscriber.ts'
import { flowSubscriber } from '../src/features/admin/event-forwarding/subscriber.ts'
import { startQueue, stopQueue } from '../src/jobs/queue.ts'
import { jobs } from '../src/jobs/registry.ts'
import { createBench } from './bench-installation.ts'
import { findPostmaster, measureCpu, pickSize } from './measure.ts'

/** Milliseconds of processor, server and PostgreSQL together, for an event that waits. */
const MOST = { heard: 5, routed: 12 }
const EVENTS = pickSize(10_000, 20)
const COMPANY = 1

const { closers, open } = createBench({ LOG_LEVEL: 'silent' })
const heard: number[] = []
const listener: Subscriber = defineSubscriber({
  name: 'bench',
  on: ['operation.created'],
  handle: async (_, __, { seq }) => void heard.push(seq),
})

/** As they wait after a night in which nobody was at work. */
const FILL = `
  insert into events (company_id, seq, name, object, data, at)
  select ${COMPANY}, n, 'operation.created', gen_random_uuid()::text,
         jsonb_build_object('operationId', gen_random_uuid(), 'name', 'Opération ' || n, 'status', 'draft'), now()
    from generate_series(1, ${EVENTS}) n`

async function prepare(db: Db) {
  await db.$client.query(`insert into companies (id, name) overriding system value values (${COMPANY}, 'Mesure')`)
  await db.$client.query(FILL)
  await db.$client.query(`insert into event_heads (company_id, seq) values (${COMPANY}, ${EVENTS})
    on conflict (company_id) do update set seq = excluded.seq`)
  const hook = { companyId: COMPANY, url: 'https://exemple.fr/crochet', events: ['ping'], secret: 'sealed' }
  const [made] = await db.insert(webhooks).values(hook).returning()
  const rule = { companyId: COMPANY, event: 'operation.created', fields: [{ from: 'name', to: 'nom' }], createdBy: '' }
  const to = { destination: 'webhook', destinationId: made?.id ?? '' }
  await db.insert(flowRules).values([
    { ...rule, ...to, name: 'Toutes', conditions: [{ field: 'status', is: 'equals', values: ['draft'] }] },
    { ...rule, ...to, name: 'Aucune', conditions: [{ field: 'status', is: 'equals', values: ['active'] }] },
  ])
}

try {
  const { deps, url } = await open()
  const { db } = deps
  await prepare(db)
  const queue = await startQueue(deps, url, jobs, false)
  closers.add(() => stopQueue(queue))
  const postmaster = await findPostmaster(db)
  const each = async (work: () => Promise<unknown>) => {
    const { server, postgres: base } = await measureCpu(postmaster, work)
    return (server + base) / EVENTS
  }
  const cost = {
    heard: await each(() => deliverEvents(deps, COMPANY, [listener])),
    routed: await each(() => deliverEvents(deps, COMPANY, [flowSubscriber])),
    counted: await each(async () => {
      const taken = [{ companyId: COMPANY, name: 'operation.created', at: new Date() }]
      for (let n = 0; n < EVENTS; n++) await transaction(db, (tx) => countDeliveredEvents(tx, 'counted', taken))
    }),
    empty: await each(async () => {
      for (let n = 0; n < EVENTS; n++) await transaction(db, (tx) => tx.execute(sql`select 1`))
    }),
  }
  const inOrder = heard.length === EVENTS && heard.every((seq, at) => seq === at + 1)
  const { rows } = await db.execute<{ made: number; events: number }>(sql`
    select count(*)::int as made, count(distinct seq)::int as events from flow_deliveries where status = 'sent'`)
  const once = rows[0]?.made === EVENTS && rows[0].events === EVENTS
  const ms = (value: number) => `${value.toFixed(2).replace('.', ',')}\u00a0ms`
  if (!inOrder || !once) throw new Error('events were lost, mixed or sent twice')
  console.log(`${EVENTS} événements en attente, tous dans l’ordre et une fois`)
  console.log(`entendu\u00a0: ${ms(cost.heard)} de processeur par événement (au plus ${MOST.heard})`)
  console.log(`avec deux règles et un envoi\u00a0: ${ms(cost.routed)} (au plus ${MOST.routed})`)
  console.log(`dont le compte (event_sums)\u00a0: ${ms(cost.counted - cost.empty)}`)
  console.log(`charge de la machine\u00a0: ${loadavg()[0]?.toFixed(1)}`)
  if (cost.heard > MOST.heard || cost.routed > MOST.routed) process.exitCode = 1
} finally {
  await closers.close()
}
