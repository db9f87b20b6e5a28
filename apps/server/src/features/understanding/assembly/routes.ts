import { assembly } from '@voisol/contract/assembly'
import type { FastifyInstance } from 'fastify'
import { brandOf } from '../../../core/brand.ts'
import { datedName } from '../../../http/file-name.ts'
import { route } from '../../../http/route.ts'
import { assemblyPdf } from '../../../papers/assembly-pdf.ts'
import { assemblyOf } from './assembly.ts'

export function assemblyRoutes(app: FastifyInstance) {
  route(app, assembly.get, ({ params, query }, { db, actor }) => assemblyOf(db, app.deps, actor, params.id, query))
  route(app, assembly.file, async ({ params, query }, { db, actor }) => {
    const pack = await assemblyOf(db, app.deps, actor, params.id, query)
    const name = datedName(`dossier d’assemblée ${pack.operation.name}`, 'pdf')
    return { name, type: 'application/pdf', content: await assemblyPdf(pack, await brandOf(db, actor.companyId)) }
  })
}
