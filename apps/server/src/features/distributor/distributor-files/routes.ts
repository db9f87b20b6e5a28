import { distributorFiles } from '@voisol/contract/distributor-files'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import { listEvents } from './events.ts'
import { contentOf, forgetFile, listFiles, retryFile, toFile } from './files.ts'
import { uploadFile } from './intake.ts'

export function distributorFileRoutes(app: FastifyInstance) {
  route(app, distributorFiles.list, ({ query }, { db, actor }) => listFiles(db, actor, query))
  route(app, distributorFiles.events, ({ query }, { db, actor }) => listEvents(db, actor, query))

  route(app, distributorFiles.upload, async ({ query, upload }, { db, files, actor, note }) => {
    const row = await uploadFile(db, files, actor, { ...query, content: upload })
    note({ target: row.name, detail: { bytes: upload.byteLength, sha256: row.sha256 } })
    return toFile(row)
  })

  route(app, distributorFiles.download, ({ params }, { db, files, actor }) => contentOf(db, files, actor, params.id))

  route(app, distributorFiles.retry, async ({ params }, { db, actor, note }) => {
    const file = await retryFile(db, actor, params.id)
    note({ target: file.name })
    return file
  })

  route(app, distributorFiles.forget, async ({ params }, { db, actor, note }) => {
    const { name, sha256, reason } = await forgetFile(db, actor, params.id)
    note({ target: name, detail: { sha256, reason } })
    return { success: true as const }
  })
}
