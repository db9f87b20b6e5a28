import { type ContentRecord, content } from '@voisol/contract/content'
import type { FastifyInstance } from 'fastify'
import { addRoute, type RouteContext } from '../../../http/route.ts'
import {
  createContent,
  listVersions,
  loadVersionDraft,
  removeContent,
  restoreVersion,
  saveContent,
} from './edit-content.ts'
import { addSiteImage, listImages, loadImage, removeImage } from './images.ts'
import { listContents, previewContent } from './preview-content.ts'
import { publishContent, unpublishContent } from './publish-content.ts'
import { listPublishedContents, loadContentPage } from './published-content.ts'
import { loadContentRecord, parseTypedText } from './stored-content.ts'
import { suggestContents } from './suggest-content.ts'

/** The journal names what changed; the text itself is kept among the versions. */
function noteContent({ note }: RouteContext, record: ContentRecord): ContentRecord {
  const { id, kind, slug, status, title, version, publishAt } = record
  note({ target: title, detail: { contentId: id, after: { kind, slug, status, publishAt, version } } })
  return record
}

function readRoutes(app: FastifyInstance) {
  addRoute(app, content.published, ({ params, query }, ctx) => listPublishedContents(ctx, params.kind, query))
  addRoute(app, content.read, ({ params }, ctx) => loadContentPage(ctx, params.kind, params.slug))
  addRoute(app, content.suggest, async ({ query }, { db }) => ({ items: await suggestContents(db, query) }))
  addRoute(app, content.list, ({ query }, { db }) => listContents(db, query))
  addRoute(app, content.get, ({ params }, { db }) => loadContentRecord(db, params.id))
  addRoute(app, content.versions, async ({ params }, ctx) => ({ items: await listVersions(ctx, params.id) }))
  addRoute(app, content.version, async ({ params }, ctx) => {
    const draft = await loadVersionDraft(ctx.db, params.id, params.number)
    return { draft, body: (await parseTypedText(ctx, draft.body, 'body')).blocks }
  })
  addRoute(app, content.preview, ({ body }, ctx) => previewContent(ctx, app.web, body.body))
}

function writeRoutes(app: FastifyInstance) {
  addRoute(app, content.create, async ({ body }, ctx) =>
    noteContent(ctx, await createContent(ctx, ctx.actor, body.kind, body.draft)),
  )
  addRoute(app, content.save, async ({ params, body }, ctx) =>
    noteContent(ctx, await saveContent(ctx, ctx.actor, params.id, body)),
  )
  addRoute(app, content.publish, async ({ params, body }, ctx) =>
    noteContent(ctx, await publishContent(ctx.db, ctx.actor, params.id, body)),
  )
  addRoute(app, content.unpublish, async ({ params, body }, ctx) =>
    noteContent(ctx, await unpublishContent(ctx.db, ctx.actor, params.id, body)),
  )
  addRoute(app, content.restore, async ({ params, body }, ctx) =>
    noteContent(ctx, await restoreVersion(ctx, ctx.actor, params.id, body)),
  )
  addRoute(app, content.remove, async ({ params }, { db, note }) => {
    const { id, kind, slug, status, draft } = await removeContent(db, params.id)
    note({ target: draft.title, detail: { contentId: id, before: { kind, slug, status } } })
    return { success: true as const }
  })
}

function imageRoutes(app: FastifyInstance) {
  addRoute(app, content.image, ({ params }, { db, files }) => loadImage(db, files, params.id))
  addRoute(app, content.images, ({ query }, { db }) => listImages(db, query))
  addRoute(app, content.addImage, async ({ query, upload }, { db, files, note }) => {
    const image = await addSiteImage(db, files, query.name, upload)
    note({ target: image.name, detail: { after: { mediaType: image.mediaType, size: image.size } } })
    return image
  })
  addRoute(app, content.removeImage, async ({ params }, { db, note }) => {
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
