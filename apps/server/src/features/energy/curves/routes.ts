import { curves } from '@voisol/contract/curves'
import type { FastifyInstance } from 'fastify'
import { splitConfirmation, toConfirmationDetail } from '../../../core/change-confirmation.ts'
import { addRoute } from '../../../http/route.ts'
import { resolvePointId } from '../participants/index.ts'
import { loadCompletenessMatrix } from './completeness-matrix.ts'
import { exportCurves } from './export-curves.ts'
import { listCurveImports, loadCurveImport } from './import-queries.ts'
import { abandonImport, commitImport, setReadingChoices, startCurveImport } from './import-steps.ts'
import { listDayVersions, loadPointCurve } from './point-curve.ts'

export function curveRoutes(app: FastifyInstance) {
  addRoute(app, curves.matrix, ({ query }, { db, actor }) => loadCompletenessMatrix(db, actor, query))
  addRoute(app, curves.series, async ({ params, query }, { db, actor }) =>
    loadPointCurve(db, actor, await resolvePointId(db, actor, params.id), query),
  )
  addRoute(app, curves.versions, async ({ params }, { db, actor }) =>
    listDayVersions(db, actor, await resolvePointId(db, actor, params.id), params.day),
  )
  addRoute(app, curves.export, ({ query }, { db, actor }) => exportCurves(db, actor, query))
  importRoutes(app)
}

function importRoutes(app: FastifyInstance) {
  addRoute(app, curves.imports, ({ query }, { db, actor }) => listCurveImports(db, actor, query))
  addRoute(app, curves.getImport, ({ params }, { db, actor }) => loadCurveImport(db, actor, params.id))

  addRoute(app, curves.upload, async ({ query, upload }, { db, files, actor, note }) => {
    const started = await startCurveImport(db, files, actor, { name: query.name, bytes: upload })
    note({ target: started.name, detail: { bytes: upload.byteLength } })
    return started
  })

  addRoute(app, curves.choose, async ({ params, body }, { db, actor, note }) => {
    const { choices: before } = await loadCurveImport(db, actor, params.id)
    const chosen = await setReadingChoices(db, actor, params.id, body)
    note({ target: chosen.name, detail: { before, after: chosen.choices } })
    return chosen
  })

  addRoute(app, curves.commit, async ({ params, body }, ctx) => {
    const { word, input } = splitConfirmation(body)
    const committed = await commitImport(ctx, params.id, { ...input, word })
    const { name: target, choices } = committed
    ctx.note({ target, detail: { choices, ...input, ...toConfirmationDetail(word) } })
    return committed
  })

  addRoute(app, curves.abandon, async ({ params }, { db, actor, note }) => {
    const { name } = await abandonImport(db, actor, params.id)
    note({ target: name })
    return { success: true as const }
  })
}
