import { type Participation, participations, points } from '@voisol/contract/points'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import { changeMany } from './bulk.ts'
import { createParticipation, removeParticipation, updateParticipation } from './participations.ts'
import { getPoint, listPoints } from './point-view.ts'
import { updatePoint } from './points.ts'
import { resolvePoint } from './resolve.ts'
import { transferPoint } from './transfer.ts'

/** What the journal of an operation shows of an entry, an exit or a change. */
function facts({ participantName, point, startsOn, endsOn, noticeOn, agreementSignedOn }: Participation) {
  const meter = { prm: point.prm, direction: point.direction, ...(point.storage && { storage: true }) }
  return { participantName, ...meter, startsOn, endsOn, noticeOn, agreementSignedOn }
}

export function pointRoutes(app: FastifyInstance) {
  route(app, points.list, ({ query }, { db, actor }) => listPoints(db, actor, query))
  route(app, points.get, async ({ params }, { db, actor }) =>
    getPoint(db, actor, await resolvePoint(db, actor, params.id)),
  )
  route(app, points.update, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await updatePoint(db, actor, params.id, body)
    note({ target: after.prm, detail: { operationId: after.operationId, before, after } })
    return after
  })
  participationRoutes(app)
}

function participationRoutes(app: FastifyInstance) {
  route(app, participations.create, async ({ body }, { db, actor, note }) => {
    const after = await createParticipation(db, actor, body)
    note({ target: after.participantName, detail: { operationId: after.operationId, after: facts(after) } })
    return after
  })

  route(app, participations.update, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await updateParticipation(db, actor, params.id, body)
    const { operationId } = after
    note({ target: after.participantName, detail: { operationId, before: facts(before), after: facts(after) } })
    return after
  })

  route(app, participations.remove, async ({ params }, { db, actor, note }) => {
    const before = await removeParticipation(db, actor, params.id)
    note({ target: before.participantName, detail: { operationId: before.operationId, before: facts(before) } })
    return { success: true as const }
  })

  route(app, participations.transfer, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await transferPoint(db, actor, params.id, body)
    const { operationId, participantName } = after
    note({
      target: `${before.participantName} → ${participantName}`,
      detail: { operationId, before: facts(before), after: facts(after) },
    })
    return after
  })

  route(app, participations.bulk, async ({ body }, { db, actor, note }) => {
    const { report, operationIds } = await changeMany(db, actor, body)
    const { changed, refused } = report
    const operation = operationIds.length === 1 && !body.dryRun ? { operationId: operationIds[0] } : {}
    note({
      target: body.dryRun ? 'essai' : 'participations',
      detail: { ...operation, change: body.change, on: body.on, changed, refused },
    })
    return report
  })
}
