import { keys } from '@voisol/contract/keys'
import type { FastifyInstance } from 'fastify'
import type { KeyVersion } from '../../../core/allocation-keys.ts'
import {
  applyConfirmedChange,
  describeFileChange,
  splitConfirmation,
  toConfirmationDetail,
} from '../../../core/change-confirmation.ts'
import { addRoute, type RouteContext } from '../../../http/route.ts'
import { adoptKey, removeKey, updateKey } from './allocation-keys.ts'
import { compareKeyMethods } from './compare-methods.ts'
import { createKey } from './create-key.ts'
import { importCoefficients } from './import-coefficients.ts'
import { listKeyVersions, loadKeyDetail } from './stored-keys.ts'

const formatKeyTarget = ({ number }: { number: number }) => `Clé de répartition, version ${number}`

/** The journal of an operation is read from the audit log by this id. */
function recordKeyAudit(
  { note }: RouteContext,
  { operationId, number }: Pick<KeyVersion, 'operationId' | 'number'>,
  more = {},
) {
  note({ target: formatKeyTarget({ number }), detail: { operationId, ...more } })
}

export function keyRoutes(app: FastifyInstance) {
  addRoute(app, keys.list, ({ params }, { db, actor }) => listKeyVersions(db, actor, params.id))
  addRoute(app, keys.get, ({ params }, { db, actor }) => loadKeyDetail(db, actor, params.id))
  addRoute(app, keys.compare, ({ params, query }, ctx) => compareKeyMethods(ctx, ctx.actor, params.id, query))

  addRoute(app, keys.create, async ({ params, body }, ctx) => {
    const key = await loadKeyDetail(ctx.db, ctx.actor, await createKey(ctx.db, ctx.actor, params.id, body))
    recordKeyAudit(ctx, key, { method: key.method, startsOn: key.startsOn })
    return key
  })

  addRoute(app, keys.update, async ({ params, body }, ctx) => {
    const { word, input } = splitConfirmation(body)
    const change = { kind: 'key' as const, id: params.id, body: input }
    const before = await applyConfirmedChange(ctx, change, word, (tx) => updateKey(tx, ctx.actor, params.id, input))
    recordKeyAudit(ctx, before, {
      ...toConfirmationDetail(word),
      before: { method: before.method, startsOn: before.startsOn, shares: before.shares.length },
      after: { method: body.method, startsOn: body.startsOn, shares: body.shares.length },
    })
    return loadKeyDetail(ctx.db, ctx.actor, params.id)
  })

  addRoute(app, keys.adopt, async ({ params, body }, ctx) => {
    const { word, input } = splitConfirmation(body)
    const change = { kind: 'adopt' as const, id: params.id, body: input }
    const version = await applyConfirmedChange(ctx, change, word, (tx) => adoptKey(tx, ctx.actor, params.id, input))
    recordKeyAudit(ctx, version, { startsOn: version.startsOn, ...toConfirmationDetail(word) })
    return loadKeyDetail(ctx.db, ctx.actor, params.id)
  })

  addRoute(app, keys.remove, async ({ params }, ctx) => {
    recordKeyAudit(ctx, await removeKey(ctx.db, ctx.actor, params.id))
    return { success: true as const }
  })

  addRoute(app, keys.importCoefficients, async ({ params, query, upload }, ctx) => {
    const { word, input } = splitConfirmation(query)
    const change = describeFileChange('coefficients', params.id, upload)
    const { version, report } = await applyConfirmedChange(ctx, change, word, (db) =>
      importCoefficients({ ...ctx, db }, ctx.actor, params.id, { ...input, bytes: upload }),
    )
    const { steps, stored } = report
    recordKeyAudit(ctx, version, {
      file: query.name,
      dryRun: query.dryRun,
      steps,
      stored,
      ...toConfirmationDetail(word),
    })
    return report
  })
}
