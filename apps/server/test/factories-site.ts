import { join } from 'node:path'
import type { ContentDraft, ContentKind } from '@voisol/contract/content'
import { loadSiteOwnerId } from '../src/core/site-company.ts'
import { incrementSiteRevision } from '../src/core/site-revision.ts'
import type { Db } from '../src/db/client.ts'
import { contents } from '../src/db/schema/index.ts'
import type { WebBuild } from '../src/web-build.ts'

/** Content published on the site. */
export async function makePublishedContent(db: Db, kind: ContentKind, slug: string, more: Partial<ContentDraft> = {}) {
  const text = { title: 'Partager son toit', summary: 'Comment partager l’énergie d’un toit entre voisins.' }
  const live = { ...text, slug, category: 'actualites', author: '', position: 100, body: 'Un texte.', ...more }
  const at = new Date('2026-05-04T08:00:00Z')
  const values = { companyId: await loadSiteOwnerId(db), kind, slug, status: 'published', draft: live, live }
  const [row] = await db
    .insert(contents)
    .values({ ...values, publishedAt: at, liveAt: at, updatedBy: 'redaction@exemple.fr' })
    .returning()
  await incrementSiteRevision(db)
  if (!row) throw new Error('nothing published')
  return row
}

type PageRenderRequest = { url: string; read: (path: string) => Promise<unknown> }

/** A simulated web build of a few pages, the first of which reads `data`; it records what it rendered. */
export function createFakeWebBuild(html: (path: string) => string = (path) => `<title>${path}</title>`, data?: string) {
  const rendered: string[] = []
  const web: WebBuild = {
    files: join(import.meta.dirname, 'absent'),
    template: '',
    siteTemplate: '',
    filesOf: () => [],
    sitePages: [
      { path: '/', title: 'Autoconsommation collective', description: 'Partager l’énergie solaire.' },
      { path: '/home', title: 'Accueil', description: 'Partager l’énergie solaire.', canonical: '/' },
      { path: '/platform', title: 'La plateforme', description: 'Ce que fait la plateforme.' },
      { path: '/test-nav', title: 'Navigation', description: 'Pour essayer.', noIndex: true },
    ],
    screenPaths: ['/login', '/dashboard', '/projects', '/projects/:id'],
    placeOf: (path) => (path.startsWith('/projects/') ? '/projects/:id' : path),
    renderPage: async (request) => {
      const { url, read } = request as PageRenderRequest // what the server sends
      const { pathname, search } = new URL(url)
      rendered.push(pathname + search)
      if (data && pathname === '/') await read(data)
      return { status: 200, headers: { 'content-type': 'text/html' }, html: html(pathname), outcome: 'lasting' }
    },
  }
  return { web, rendered }
}
