import { keys } from '@voisol/contract/keys'
import type { FastifyInstance } from 'fastify'
import type { KeyVersion } from '../../../core/key-versions.ts'
import { apart, confirmed, fileChange, wordOf } from '../../../core/shown.ts'
import { type Context, route } from '../../../http/route.ts'
import { compareMethods } from './compare.ts'
import { createKey } from './create.ts'
import { importCoefficients } from './import.ts'
import { adoptKey, removeKey, updateKey } from './keys.ts'
import { getKey, listKeys } from './view.ts'

const target = ({ number }: { number: number }) => `Clé de répartition, version ${number}`

/** The journal of an operation is read from the audit by this id. */
function noted({ note }: Context, { operationId, number }: Pick<KeyVersion, 'operationId' | 'number'>, more = {}) {
  note({ target: target({ number }), detail: { operationId, ...more } })
}

export function keyRoutes(app: FastifyInstance) {
  route(app, keys.list, ({ params }, { db, actor }) => listKeys(db, actor, params.id))
  route(app, keys.get, ({ params }, { db, actor }) => getKey(db, actor, params.id))
  route(app, keys.compare, ({ params, query }, ctx) => compareMethods(ctx, ctx.actor, params.id, query))

  route(app, keys.create, async ({ params, body }, ctx) => {
    const key = await getKey(ctx.db, ctx.actor, await createKey(ctx.db, ctx.actor, params.id, body))
    noted(ctx, key, { method: key.method, startsOn: key.startsOn })
    return key
  })

  route(app, keys.update, async ({ params, body }, ctx) => {
    const { word, input } = apart(body)
    const change = { kind: 'key' as const, id: params.id, body: input }
    const before = await confirmed(ctx, change, word, (tx) => updateKey(tx, ctx.actor, params.id, input))
    noted(ctx, before, {
      ...wordOf(word),
      before: { method: before.method, startsOn: before.startsOn, shares: before.shares.length },
      after: { method: body.method, startsOn: body.startsOn, shares: body.shares.length },
    })
    return getKey(ctx.db, ctx.actor, params.id)
  })

  route(app, keys.adopt, async ({ params, body }, ctx) => {
    const { word, input } = apart(body)
    const change = { kind: 'adopt' as const, id: params.id, body: input }
    const version = await confirmed(ctx, change, word, (tx) => adoptKey(tx, ctx.actor, params.id, input))
    noted(ctx, version, { startsOn: version.startsOn, ...wordOf(word) })
    return getKey(ctx.db, ctx.actor, params.id)
  })

  route(app, keys.remove, async ({ params }, ctx) => {
    noted(ctx, await removeKey(ctx.db, ctx.actor, params.id))
    return { success: true as const }
  })

  route(app, keys.importCoefficients, async ({ params, query, upload }, ctx) => {
    const { word, input } = apart(query)
    const change = fileChange('coefficients', params.id, upload)
    const { version, report } = await confirmed(ctx, change, word, (db) =>
      importCoefficients({ ...ctx, db }, ctx.actor, params.id, { ...input, bytes: upload }),
    )
    const { steps, stored } = report
    noted(ctx, version, { file: query.name, dryRun: query.dryRun, steps, stored, ...wordOf(word) })
    return report
  })
}
