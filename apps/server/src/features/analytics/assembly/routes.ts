import { assembly } from '@voisol/contract/assembly'
import { buildAssemblyPdf } from '@voisol/documents/assembly-pdf'
import type { FastifyInstance } from 'fastify'
import { loadBrand } from '../../../core/brand.ts'
import { buildDatedFileName } from '../../../http/response-text.ts'
import { addRoute } from '../../../http/route.ts'
import { loadAssembly } from './assembly.ts'

export function assemblyRoutes(app: FastifyInstance) {
  addRoute(app, assembly.get, ({ params, query }, { db, actor }) => loadAssembly(db, app.deps, actor, params.id, query))
  addRoute(app, assembly.file, async ({ params, query }, { db, actor }) => {
    const pack = await loadAssembly(db, app.deps, actor, params.id, query)
    const name = buildDatedFileName(`dossier d’assemblée ${pack.operation.name}`, 'pdf')
    return {
      name,
      type: 'application/pdf',
      content: await buildAssemblyPdf(pack, await loadBrand(db, actor.companyId)),
    }
  })
}
