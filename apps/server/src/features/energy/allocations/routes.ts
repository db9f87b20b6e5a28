import { allocations, type Run } from '@voisol/contract/allocations'
import type { FastifyInstance } from 'fastify'
import { findOperation } from '../../../core/operation.ts'
import { frenchDay } from '../../../french.ts'
import { route } from '../../../http/route.ts'
import { coefficientFile } from './coefficients.ts'
import { runCompleteness } from './completeness.ts'
import { runDifference } from './difference.ts'
import { runFile } from './export.ts'
import { proveRun } from './proof.ts'
import { runDays, runPairs, runPoints } from './results.ts'
import { startRun } from './start.ts'
import { doneRun, runSteps } from './steps.ts'
import { getRun, listRuns } from './view.ts'

const KINDS = { provisional: 'provisoire', definitive: 'définitif' } as const

const wordOf = ({ signOff }: Run) => (signOff ? `, confirmé malgré des manques\u00a0: ${signOff.reason}` : '')
/** A person's word for going on without what was missing stands in the journal in full. */
const word = ({ signOff }: Run) => signOff && { reason: signOff.reason, missing: signOff.missing }

export function allocationRoutes(app: FastifyInstance) {
  route(app, allocations.list, ({ params, query }, { db, actor }) => listRuns(db, actor, params.id, query))
  route(app, allocations.get, ({ params }, { db, actor }) => getRun(db, actor, params.id))

  route(app, allocations.start, async ({ params, body }, { db, actor, note }) => {
    await findOperation(db, actor, params.id)
    const { signOff, ...period } = body
    const wanted = { ...period, companyId: actor.companyId, operationId: params.id }
    const { id } = await startRun(db, wanted, actor, signOff)
    const run = await getRun(db, actor, id)
    note({
      target: `Calcul ${KINDS[run.kind]} du ${frenchDay(run.from)} au ${frenchDay(run.to)}${wordOf(run)}`,
      detail: { operationId: run.operationId, runId: id, estimated: run.estimated, ...word(run) },
    })
    return run
  })
  resultRoutes(app)
}

function resultRoutes(app: FastifyInstance) {
  route(app, allocations.completeness, async ({ params }, { db, actor }) =>
    runCompleteness(db, await doneRun(db, actor, params.id)),
  )
  route(app, allocations.points, async ({ params }, { db, actor }) => ({
    items: await runPoints(db, await doneRun(db, actor, params.id)),
  }))
  route(app, allocations.days, async ({ params }, { db, actor }) => ({
    items: await runDays(db, await doneRun(db, actor, params.id)),
  }))
  route(app, allocations.pairs, async ({ params }, { db, actor }) => ({
    items: await runPairs(db, await doneRun(db, actor, params.id)),
  }))
  route(app, allocations.steps, ({ params }, { db, actor }) => runSteps(db, actor, params.id, params.day))
  route(app, allocations.difference, ({ params }, { db, actor }) => runDifference(db, actor, params.id))
  route(app, allocations.proof, ({ params }, { db, actor }) => proveRun(db, actor, params.id))
  route(app, allocations.export, async ({ params, query }, { db, actor }) =>
    runFile(db, await doneRun(db, actor, params.id), query.level, query.format),
  )
  route(app, allocations.coefficients, async ({ params, query }, { db, actor }) =>
    coefficientFile(db, await doneRun(db, actor, params.id), params.producerId, query.decimals),
  )
}
