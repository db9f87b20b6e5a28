import { allocations, type Run } from '@voisol/contract/allocations'
import { formatFrenchDay } from '@voisol/file-formats/french'
import type { FastifyInstance } from 'fastify'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import { addRoute } from '../../../http/route.ts'
import { exportCoefficientFile } from './export-coefficients.ts'
import { exportRun } from './export-run.ts'
import { loadRunCompleteness } from './run-completeness.ts'
import { compareWithPreviousRun, listAllocationRuns, loadAllocationRun } from './run-queries.ts'
import { loadRunDays, loadRunPairs, loadRunPoints } from './run-results.ts'
import { loadRunSteps, requireDoneRun } from './run-steps.ts'
import { startRun } from './start-run.ts'
import { verifyRun } from './verify-run.ts'

const KIND_LABELS = { provisional: 'provisoire', definitive: 'définitif' } as const

const formatSignOff = ({ signOff }: Run) => (signOff ? `, confirmé malgré des manques\u00a0: ${signOff.reason}` : '')
/** The reason for signing off incomplete data is kept in full in the audit log. */
const toSignOffDetail = ({ signOff }: Run) => signOff && { reason: signOff.reason, missing: signOff.missing }

export function allocationRoutes(app: FastifyInstance) {
  addRoute(app, allocations.list, ({ params, query }, { db, actor }) => listAllocationRuns(db, actor, params.id, query))
  addRoute(app, allocations.get, ({ params }, { db, actor }) => loadAllocationRun(db, actor, params.id))

  addRoute(app, allocations.start, async ({ params, body }, { db, actor, note }) => {
    await requireVisibleOperation(db, actor, params.id)
    const { signOff, ...period } = body
    const wanted = { ...period, companyId: actor.companyId, operationId: params.id }
    const { id } = await startRun(db, wanted, actor, signOff)
    const run = await loadAllocationRun(db, actor, id)
    note({
      target: `Calcul ${KIND_LABELS[run.kind]} du ${formatFrenchDay(run.from)} au ${formatFrenchDay(run.to)}${formatSignOff(run)}`,
      detail: { operationId: run.operationId, runId: id, estimated: run.estimated, ...toSignOffDetail(run) },
    })
    return run
  })
  resultRoutes(app)
}

function resultRoutes(app: FastifyInstance) {
  addRoute(app, allocations.completeness, async ({ params }, { db, actor }) =>
    loadRunCompleteness(db, await requireDoneRun(db, actor, params.id)),
  )
  addRoute(app, allocations.points, async ({ params }, { db, actor }) => ({
    items: await loadRunPoints(db, await requireDoneRun(db, actor, params.id)),
  }))
  addRoute(app, allocations.days, async ({ params }, { db, actor }) => ({
    items: await loadRunDays(db, await requireDoneRun(db, actor, params.id)),
  }))
  addRoute(app, allocations.pairs, async ({ params }, { db, actor }) => ({
    items: await loadRunPairs(db, await requireDoneRun(db, actor, params.id)),
  }))
  addRoute(app, allocations.steps, ({ params }, { db, actor }) => loadRunSteps(db, actor, params.id, params.day))
  addRoute(app, allocations.difference, ({ params }, { db, actor }) => compareWithPreviousRun(db, actor, params.id))
  addRoute(app, allocations.proof, ({ params }, { db, actor }) => verifyRun(db, actor, params.id))
  addRoute(app, allocations.export, async ({ params, query }, { db, actor }) =>
    exportRun(db, await requireDoneRun(db, actor, params.id), query.level, query.format),
  )
  addRoute(app, allocations.coefficients, async ({ params, query }, { db, actor }) =>
    exportCoefficientFile(db, await requireDoneRun(db, actor, params.id), params.producerId, query.decimals),
  )
}
