import { addMonths, listDays, stepsOfDay } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { DayRow } from '../src/core/readings.ts'
import { type Db, transaction } from '../src/db/client.ts'
import { companies, invoices, operations, tariffs } from '../src/db/schema/index.ts'
import { executeRun } from '../src/features/energy/allocations/run.ts'
import { insertRun } from '../src/features/energy/allocations/runs.ts'
import { storeDays } from '../src/features/energy/curves/store.ts'
import { createFirstKey } from '../src/features/energy/keys/create.ts'
import {
  checkOpen,
  closeNow,
  computeNow,
  issueNow,
  outcomeOf,
  previewOf,
} from '../src/features/money/billing/billing.ts'
import { invoiceOf } from '../src/features/money/invoices/find.ts'
import { keepPapers } from '../src/features/money/invoices/papers.ts'
import type { openPlatform } from '../src/open.ts'
import { createBench } from './platform.ts'

const FROM = '2025-06-01'
const TARGET_MS = 5_000
const CONSUMERS = 500
const PRODUCERS = 4
const ROUNDS = 3
const PAPERS = 500
const PAPERS_MS = 60_000
/** As many as a server makes at once of its own accord. */
const PARALLEL = 2

/** An operation of 500 people, each with a meter, and four roofs with a seller each. */
async function makeOperation(db: Db) {
  const [company] = await db.insert(companies).values({ name: 'Mesure' }).returning()
  if (!company) throw new Error('no company to measure with')
  const companyId = company.id
  const [operation] = await db.insert(operations).values({ companyId, name: 'Mesure', status: 'active' }).returning()
  if (!operation) throw new Error('no operation to measure with')
  const { rows } = await db.execute<{ id: string; direction: string }>(sql`
    with holder as (
      insert into participants (company_id, kind, name, phone, address, postal_code, city)
      select ${companyId}, 'person', 'Mesure ' || n, n::text, '1 rue', '69003', 'Lyon'
        from generate_series(1, ${CONSUMERS + PRODUCERS}::int) n returning id, phone::int as n),
    point as (
      insert into points (company_id, prm, direction, segment)
      select ${companyId}, lpad(n::text, 14, '10000000000000'), case when n > ${CONSUMERS} then 'production' else 'consumption' end, 'C5'
        from generate_series(1, ${CONSUMERS + PRODUCERS}::int) n returning id, direction, right(prm, 4)::int as n),
    part as (
      insert into participations (company_id, operation_id, participant_id, point_id, starts_on)
      select ${companyId}, ${operation.id}, h.id, p.id, date '2025-01-01' from holder h join point p on p.n = h.n),
    seller as (
      insert into sellers (company_id, participant_id, name, prefix, siren, vat_number, address, postal_code, city)
      select ${companyId}, h.id, 'Toit ' || h.n, 'T' || h.n || '-', '552081317', 'FR03552081317', '1 rue', '69003', 'Lyon' from holder h where h.n > ${CONSUMERS} returning id),
    vat as (
      insert into seller_vat (company_id, seller_id, starts_on, mode, rate, created_by)
      select ${companyId}, id, '2020-01-01', 'standard', 2000, 'Mesure' from seller),
    mandate as (
      insert into billing_mandates (company_id, seller_id, starts_on, signed_on)
      select ${companyId}, id, '2020-01-01', '2020-01-01' from seller)
    select id, direction from point`)
  const rules = [
    { id: 'base', price: 1019 },
    ...['HPB', 'HCB'].map((name, at) => ({ id: name, price: 1237 - at * 218, class: name })),
  ]
  const adopted = { number: 1, status: 'adopted', startsOn: '2025-01-01', rules }
  await db.insert(tariffs).values({ companyId, operationId: operation.id, ...adopted })
  return { companyId, operation, points: rows }
}
type Operation = Awaited<ReturnType<typeof makeOperation>>

const makeRows = ({ points }: Operation, to: string): DayRow[] =>
  points.flatMap(({ id: pointId, direction }, p) =>
    listDays(FROM, to).map((day, d) => {
      const watts = Int32Array.from({ length: stepsOfDay(day, 15) }, (_, at) =>
        direction === 'production'
          ? Math.max(0, 120_000 - (at - 48) ** 2 * 120 - d * 900)
          : (p * 7919 + d * 104_729 + at * 31) % 1800,
      )
      return { pointId, day, step: 15, watts, marks: null, quality: 1 }
    }),
  )

type Platform = Awaited<ReturnType<typeof openPlatform>>['deps']

/** Closes and issues the month, then makes the files of its first documents, while somebody asks for something small. */
async function issueAndDraw(deps: Platform, { companyId, operation }: Operation, month: string) {
  const wanted = { companyId, operationId: operation.id, month }
  const begun = performance.now()
  await transaction(deps.db, (tx) =>
    closeNow(tx, { computing: deps, aside: deps.aside, operation, wanted, by: 'Mesure', reason: 'Mesure de vitesse.' }),
  )
  const closed = performance.now()
  await transaction(deps.db, (tx) => issueNow(tx, { operation, month, by: 'Mesure', secrets: deps.secrets }))
  const issued = performance.now()
  const ids = await deps.db.select({ id: invoices.id }).from(invoices).orderBy(invoices.number).limit(PAPERS)
  let waited = 0
  let drawing = true
  const asking = (async () => {
    while (drawing) {
      const at = performance.now()
      await deps.db.execute(sql`select 1`)
      waited = Math.max(waited, performance.now() - at)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })()
  const left = ids.toReversed()
  const begunWork = effort()
  const draw = async () => {
    for (let next = left.pop(); next; next = left.pop()) {
      const invoice = await invoiceOf(deps.db, companyId, next.id)
      if (invoice) await keepPapers(deps, invoice)
    }
  }
  try {
    await Promise.all(Array.from({ length: PARALLEL }, draw))
  } finally {
    drawing = false
    await asking
  }
  const drawn = performance.now()
  const worked = effort() - begunWork
  return { close: closed - begun, issue: issued - closed, papers: drawn - issued, worked, waited, count: ids.length }
}

/** Of all threads, in milliseconds: what a busy machine does not change. */
function effort() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const number = (value: number) => new Intl.NumberFormat('fr-FR').format(Math.round(value))
const show = (name: string, time: number, goal = '') =>
  console.log(`  ${name.padEnd(56)}${`${number(time)} ms`.padStart(12)}${goal && `  (objectif : ${goal})`}`)

const { closers, open } = createBench()
try {
  const { deps } = await open()
  const made = await makeOperation(deps.db)
  const { companyId, operation } = made
  const to = addMonths(FROM, 2)
  await storeDays(deps.db, companyId, makeRows(made, to), { source: 'model', receivedAt: new Date() })
  const actor = { companyId } as never // all that it reads of the actor
  await transaction(deps.db, (tx) =>
    createFirstKey(tx, actor, operation.id, { method: 'default', startsOn: FROM, shares: [] }),
  )
  const run = { companyId, operationId: operation.id, from: FROM, to, kind: 'provisional', estimated: false } as const
  const { id } = await insertRun(deps.db, run, null)
  await executeRun(deps, { companyId, runId: id })
  const wanted = { companyId, operationId: operation.id, month: '2025-07' }
  let best = { preview: Number.POSITIVE_INFINITY, check: Number.POSITIVE_INFINITY }
  const previewWork = effort()
  for (let round = 0; round < ROUNDS; round++) {
    const begun = performance.now()
    const { input, frame, outcome, daily, ...rest } = await computeNow(deps, deps.db, wanted)
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues.slice(0, 3)))
    const { documents } = await previewOf(deps, deps.db, wanted, {
      input,
      frame,
      outcome: outcomeOf(outcome.month, daily),
    })
    const preview = performance.now() - begun
    if (documents.length !== CONSUMERS * PRODUCERS) throw new Error(`${documents.length} documents`)
    await checkOpen(deps.db, operation, wanted, { input, frame, outcome, daily, ...rest })
    const check = performance.now() - begun - preview
    best = { preview: Math.min(best.preview, preview), check: Math.min(best.check, check) }
  }
  show(`prévisualisation de ${CONSUMERS} participants, avec le mois précédent`, best.preview, `${number(TARGET_MS)} ms`)
  show('  processeur, contrôle compris, par prévisualisation', (effort() - previewWork) / ROUNDS)
  show('liste de contrôle du même mois', best.check)
  const { close, issue, papers, worked, waited, count } = await issueAndDraw(deps, made, '2025-06')
  show('clôture du mois', close)
  show(`émission de ${number(CONSUMERS * PRODUCERS)} documents : numéros, instantanés, chaîne`, issue)
  show(`PDF et XML de ${number(count)} documents, ${PARALLEL} de front`, papers, `${number(PAPERS_MS)} ms`)
  show('  dont processeur', worked)
  show('pendant ce temps, une petite requête attend au plus', waited)
} finally {
  await closers.close()
}
