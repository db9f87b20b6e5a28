import { distributorFiles } from '@voisol/contract/distributor-files'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../../http/route.ts'
import { listContractEvents } from './contract-events.ts'
import {
  deleteDistributorFile,
  listDistributorFiles,
  loadDistributorFileContent,
  retryDistributorFile,
  toDistributorFile,
  uploadDistributorFile,
} from './enedis-files.ts'

export function distributorFileRoutes(app: FastifyInstance) {
  addRoute(app, distributorFiles.list, ({ query }, { db, actor }) => listDistributorFiles(db, actor, query))
  addRoute(app, distributorFiles.events, ({ query }, { db, actor }) => listContractEvents(db, actor, query))

  addRoute(app, distributorFiles.upload, async ({ query, upload }, { db, files, actor, note }) => {
    const row = await uploadDistributorFile(db, files, actor, { ...query, content: upload })
    note({ target: row.name, detail: { bytes: upload.byteLength, sha256: row.sha256 } })
    return toDistributorFile(row)
  })

  addRoute(app, distributorFiles.download, ({ params }, { db, files, actor }) =>
    loadDistributorFileContent(db, files, actor, params.id),
  )

  addRoute(app, distributorFiles.retry, async ({ params }, { db, actor, note }) => {
    const file = await retryDistributorFile(db, actor, params.id)
    note({ target: file.name })
    return file
  })

  addRoute(app, distributorFiles.forget, async ({ params }, { db, actor, note }) => {
    const { name, sha256, reason } = await deleteDistributorFile(db, actor, params.id)
    note({ target: name, detail: { sha256, reason } })
    return { success: true as const }
  })
}
