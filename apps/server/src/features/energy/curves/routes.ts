import { curves } from '@voisol/contract/curves'
import type { FastifyInstance } from 'fastify'
import { apart, wordOf } from '../../../core/shown.ts'
import { route } from '../../../http/route.ts'
import { resolvePoint } from '../participants/participants.ts'
import { exportCurves } from './export.ts'
import { abandonImport, chooseReading, commitImport, startImport } from './import-steps.ts'
import { getImport, listImports } from './imports.ts'
import { completeness } from './matrix.ts'
import { pointCurve } from './series.ts'
import { dayVersions } from './versions.ts'

export function curveRoutes(app: FastifyInstance) {
  route(app, curves.matrix, ({ query }, { db, actor }) => completeness(db, actor, query))
  route(app, curves.series, async ({ params, query }, { db, actor }) =>
    pointCurve(db, actor, await resolvePoint(db, actor, params.id), query),
  )
  route(app, curves.versions, async ({ params }, { db, actor }) =>
    dayVersions(db, actor, await resolvePoint(db, actor, params.id), params.day),
  )
  route(app, curves.export, ({ query }, { db, actor }) => exportCurves(db, actor, query))
  importRoutes(app)
}

function importRoutes(app: FastifyInstance) {
  route(app, curves.imports, ({ query }, { db, actor }) => listImports(db, actor, query))
  route(app, curves.getImport, ({ params }, { db, actor }) => getImport(db, actor, params.id))

  route(app, curves.upload, async ({ query, upload }, { db, files, actor, note }) => {
    const started = await startImport(db, files, actor, { name: query.name, bytes: upload })
    note({ target: started.name, detail: { bytes: upload.byteLength } })
    return started
  })

  route(app, curves.choose, async ({ params, body }, { db, actor, note }) => {
    const { choices: before } = await getImport(db, actor, params.id)
    const chosen = await chooseReading(db, actor, params.id, body)
    note({ target: chosen.name, detail: { before, after: chosen.choices } })
    return chosen
  })

  route(app, curves.commit, async ({ params, body }, ctx) => {
    const { word, input } = apart(body)
    const committed = await commitImport(ctx, params.id, { ...input, word })
    const { name: target, choices } = committed
    ctx.note({ target, detail: { choices, ...input, ...wordOf(word) } })
    return committed
  })

  route(app, curves.abandon, async ({ params }, { db, actor, note }) => {
    const { name } = await abandonImport(db, actor, params.id)
    note({ target: name })
    return { success: true as const }
  })
}
