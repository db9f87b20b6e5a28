import { energy } from '@voisol/contract/energy'
import { operations as operationCalls } from '@voisol/contract/operations'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { buildApp } from '../src/app.ts'
import type { Db } from '../src/db/client.ts'
import { seedDemo } from '../src/db/seed/demo.ts'
import { fillDemo, findDemoCompany } from '../src/features/admin/demo/fill-demo.ts'
import { startQueue, stopQueue } from '../src/jobs/queue.ts'
import { createClosers } from '../src/open.ts'
import { getToday } from '../src/today.ts'
import { copyDemoTo } from '../test/demo-data.ts'
import { createBench } from './bench-installation.ts'
import { signedIn } from './bench-session.ts'
import { pickSize } from './measure.ts'

const TARGET_MS = 50
const LATER = pickSize(20, 1)
const IS_DEMO_COPIED = pickSize(false, true)

const number = (value: number) => new Intl.NumberFormat('fr-FR').format(Math.round(value))
const show = (name: string, time: number, goal = '') =>
  console.log(`  ${name.padEnd(52)}${`${number(time)} ms`.padStart(14)}${goal && `  (objectif : ${goal})`}`)

const { folder, closers, open } = createBench()

async function fill(): Promise<void> {
  // A smoke round takes the demo that `npm test` has made: making it costs a minute.
  if (IS_DEMO_COPIED) return copyDemoTo(folder)
  const first = createClosers()
  try {
    const { deps, url, tidy } = await open(first)
    const { jobs } = await import('../src/jobs/registry.ts')
    const queue = await startQueue(deps, url, jobs, false)
    first.add(() => stopQueue(queue))
    await seedDemo(deps)
    const companyId = await findDemoCompany(deps.db)
    if (companyId === undefined) throw new Error('no demo company')
    await fillDemo(deps, { companyId, today: getToday() })
    await tidy()
  } finally {
    await first.close()
  }
}

/** The operation with the most points. */
async function largest(db: Db): Promise<{ id: string; points: number }> {
  const { rows } = await db.execute<{ id: string; points: number }>(sql`
    select operation_id as id, count(*)::int as points from participations group by 1 order by 2 desc limit 1`)
  if (!rows[0]) throw new Error('no operation to measure')
  return rows[0]
}

async function measure(name: string, ask: () => Promise<void>): Promise<void> {
  const time = async () => {
    const from = performance.now()
    await ask()
    return performance.now() - from
  }
  show(`${name}, premier appel`, await time(), `${TARGET_MS} ms`)
  const later: number[] = []
  for (let n = 0; n < LATER; n++) later.push(await time())
  show(`${name}, appels suivants`, later.sort((a, b) => a - b)[LATER >> 1] ?? 0)
}

try {
  await fill()
  // Another database process and other connections than those that filled it: nothing of it is known to them yet.
  const { deps } = await open()
  const companyId = await findDemoCompany(deps.db)
  if (companyId === undefined) throw new Error('no demo company')
  const token = await signedIn(deps.db, companyId)
  const { id, points } = await largest(deps.db)
  const app = await buildApp(deps)
  closers.add(() => app.close())
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const ask = async (path: string) => {
    const answer = await fetch(address + path, { headers: { authorization: `Bearer ${token}` } })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
    await answer.arrayBuffer()
  }
  await ask('/api/auth/me')
  const to = monthOf(getToday())
  const month = new URLSearchParams({ from: addMonths(to, -1), to, operationId: id })
  await measure(`mois d’une opération de ${points} points`, () => ask(`${energy.summary.path}?${month}`))
  await measure('liste des opérations', () => ask(operationCalls.list.path))
} finally {
  await closers.close()
}
