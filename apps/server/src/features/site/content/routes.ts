import { type ContentRecord, content } from '@voisol/contract/content'
import type { FastifyInstance } from 'fastify'
import { type Context, route } from '../../../http/route.ts'
import { listContents } from './desk.ts'
import { addImage, listImages, removeImage, showImage } from './images.ts'
import { suggest } from './knowledge.ts'
import { previewOf } from './preview.ts'
import { publishContent, unpublishContent } from './publish.ts'
import { getRecord } from './rows.ts'
import { listPublished, readContent } from './shelf.ts'
import { readTyped } from './texts.ts'
import { draftOf, listVersions } from './versions.ts'
import { createContent, removeContent, restoreVersion, saveContent } from './write.ts'

/** The journal names what changed; the text itself is kept among the versions. */
function noted({ note }: Context, record: ContentRecord): ContentRecord {
  const { id, kind, slug, status, title, version, publishAt } = record
  note({ target: title, detail: { contentId: id, after: { kind, slug, status, publishAt, version } } })
  return record
}

function readRoutes(app: FastifyInstance) {
  route(app, content.published, ({ params, query }, ctx) => listPublished(ctx, params.kind, query))
  route(app, content.read, ({ params }, ctx) => readContent(ctx, params.kind, params.slug))
  route(app, content.suggest, async ({ query }, { db }) => ({ items: await suggest(db, query) }))
  route(app, content.list, ({ query }, { db }) => listContents(db, query))
  route(app, content.get, ({ params }, { db }) => getRecord(db, params.id))
  route(app, content.versions, async ({ params }, ctx) => ({ items: await listVersions(ctx, params.id) }))
  route(app, content.version, async ({ params }, ctx) => {
    const draft = await draftOf(ctx.db, params.id, params.number)
    return { draft, body: (await readTyped(ctx, draft.body, 'body')).blocks }
  })
  route(app, content.preview, ({ body }, ctx) => previewOf(ctx, app.web, body.body))
}

function writeRoutes(app: FastifyInstance) {
  route(app, content.create, async ({ body }, ctx) =>
    noted(ctx, await createContent(ctx, ctx.actor, body.kind, body.draft)),
  )
  route(app, content.save, async ({ params, body }, ctx) =>
    noted(ctx, await saveContent(ctx, ctx.actor, params.id, body)),
  )
  route(app, content.publish, async ({ params, body }, ctx) =>
    noted(ctx, await publishContent(ctx.db, ctx.actor, params.id, body)),
  )
  route(app, content.unpublish, async ({ params, body }, ctx) =>
    noted(ctx, await unpublishContent(ctx.db, ctx.actor, params.id, body)),
  )
  route(app, content.restore, async ({ params, body }, ctx) =>
    noted(ctx, await restoreVersion(ctx, ctx.actor, params.id, body)),
  )
  route(app, content.remove, async ({ params }, { db, note }) => {
    const { id, kind, slug, status, draft } = await removeContent(db, params.id)
    note({ target: draft.title, detail: { contentId: id, before: { kind, slug, status } } })
    return { success: true as const }
  })
}

function imageRoutes(app: FastifyInstance) {
  route(app, content.image, ({ params }, { db, files }) => showImage(db, files, params.id))
  route(app, content.images, ({ query }, { db }) => listImages(db, query))
  route(app, content.addImage, async ({ query, upload }, { db, files, note }) => {
    const image = await addImage(db, files, query.name, upload)
    note({ target: image.name, detail: { after: { mediaType: image.mediaType, size: image.size } } })
    return image
  })
  route(app, content.removeImage, async ({ params }, { db, note }) => {
    const { name, mediaType, size } = await removeImage(db, params.id)
    note({ target: name, detail: { before: { mediaType, size } } })
    return { success: true as const }
  })
}

export function contentRoutes(app: FastifyInstance) {
  readRoutes(app)
  writeRoutes(app)
  imageRoutes(app)
}
