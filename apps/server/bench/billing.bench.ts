import { addMonths } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { transaction } from '../src/db/client.ts'
import { invoices } from '../src/db/schema/index.ts'
import { storeDocumentFiles } from '../src/features/billing/invoices/document-files.ts'
import { findInvoiceById } from '../src/features/billing/invoices/load-invoice.ts'
import {
  checkOpenMonth,
  closeMonth,
  computeMonth,
  issueMonth,
  previewMonth,
  toStoredOutcome,
} from '../src/features/billing/month-closing/index.ts'
import { insertRun } from '../src/features/energy/allocation/allocation-runs.ts'
import { executeRun } from '../src/features/energy/allocation/execute-run.ts'
import { createFirstKey } from '../src/features/energy/allocation-keys/create-key.ts'
import { storeReadingsAndNotify } from '../src/features/energy/curves/store-readings.ts'
import type { openInstallation } from '../src/open.ts'
import { createBench } from './bench-installation.ts'
import { FROM, makeOperation, makeRows, type Operation } from './billing-data.ts'
import { pickSize } from './measure.ts'

const TARGET_MS = 5_000
const CONSUMERS = pickSize(500, 3)
const PRODUCERS = pickSize(4, 1)
const ROUNDS = pickSize(3, 1)
const PAPERS = pickSize(500, 2)
const PAPERS_MS = 60_000
/** As many as a server makes at once of its own accord. */
const PARALLEL = 2

type Platform = Awaited<ReturnType<typeof openInstallation>>['deps']

/** Closes and issues the month, then makes the files of its first documents, while somebody asks for something small. */
async function issueAndDraw(deps: Platform, { companyId, operation }: Operation, month: string) {
  const wanted = { companyId, operationId: operation.id, month }
  const begun = performance.now()
  await transaction(deps.db, (tx) =>
    closeMonth(tx, {
      computing: deps,
      aside: deps.aside,
      operation,
      wanted,
      by: 'Mesure',
      reason: 'Mesure de vitesse.',
    }),
  )
  const closed = performance.now()
  await transaction(deps.db, (tx) => issueMonth(tx, { operation, month, by: 'Mesure', secrets: deps.secrets }))
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
      const invoice = await findInvoiceById(deps.db, companyId, next.id)
      if (invoice) await storeDocumentFiles(deps, invoice)
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
  const made = await makeOperation(deps.db, CONSUMERS, PRODUCERS)
  const { companyId, operation } = made
  const to = addMonths(FROM, 2)
  await storeReadingsAndNotify(deps.db, companyId, makeRows(made, to), { source: 'model', receivedAt: new Date() })
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
    const { input, frame, outcome, daily, ...rest } = await computeMonth(deps, deps.db, wanted)
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues.slice(0, 3)))
    const { documents } = await previewMonth(deps, deps.db, wanted, {
      input,
      frame,
      outcome: toStoredOutcome(outcome.month, daily),
    })
    const preview = performance.now() - begun
    if (documents.length !== CONSUMERS * PRODUCERS) throw new Error(`${documents.length} documents`)
    await checkOpenMonth(deps.db, operation, wanted, { input, frame, outcome, daily, ...rest })
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
