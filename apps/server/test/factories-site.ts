import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type ContentDraft, type ContentKind, content } from '@voisol/contract/content'
import { incrementSiteRevision, loadSiteOwnerId } from '../src/core/site-owner.ts'
import { type Db, transaction } from '../src/db/client.ts'
import { bookings, contents, contentVersions, requests } from '../src/db/schema/index.ts'
import { addSiteImage } from '../src/features/site/content/images.ts'
import type { WebBuild } from '../src/web-build.ts'
import { call, type TestServer } from './client.ts'

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

let count = 0

export const buildContentDraft = (more: Partial<ContentDraft> = {}): ContentDraft => ({
  title: `Partager un toit ${++count}`,
  slug: `partager-un-toit-${count}`,
  summary: 'Ce qu’il faut savoir.',
  category: 'actualites',
  author: 'Camille',
  position: 100,
  body: '## Un titre\n\nUn texte.',
  imageId: null,
  imageAlt: '',
  startsAt: null,
  minutes: null,
  speaker: '',
  joinUrl: '',
  ...more,
})

/** Created by `editor` over HTTP, and published by default. */
export async function makeContent(
  server: TestServer,
  editor: { token: string },
  more: Partial<ContentDraft> = {},
  { kind = 'article', publish = true } = {},
) {
  const { body } = await call(server, content.create, { body: { kind, draft: buildContentDraft(more) } }, editor)
  if (!publish) return body
  return (await call(server, content.publish, { params: { id: body.id }, body: { version: 1 } }, editor)).body
}

/** The smallest image of each format. */
export const SMALLEST_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
/** The same image with other bytes. */
export const buildDistinctPng = (n: number) => Buffer.concat([SMALLEST_PNG, Buffer.from(String(n))])

/** Published content with its first version, inserted into the database. */
export async function insertPublishedContent({ db }: TestServer) {
  const draft = buildContentDraft()
  const own = { companyId: await loadSiteOwnerId(db), draft }
  const [row] = await db
    .insert(contents)
    .values({ ...own, kind: 'article', slug: draft.slug, status: 'published', live: draft, updatedBy: 'Camille' })
    .returning()
  if (!row) throw new Error('no content')
  await db
    .insert(contentVersions)
    .values({ ...own, contentId: row.id, number: 1, event: 'published', savedBy: 'Camille' })
  return { id: row.id, kind: 'article', slug: draft.slug, number: 1 }
}

export const makeImage = async ({ db, deps }: TestServer) => ({
  id: (await transaction(db, (tx) => addSiteImage(tx, deps.files, 'toit.png', buildDistinctPng(++count)))).id,
})

const CONTACT_FIELDS = { firstName: 'Zoé', lastName: 'Lefèvre', phone: '', company: 'Copropriété du Parc' }

/** A booking at its own hour, a year ahead by default. */
export async function makeBooking(db: Db, more: Partial<typeof bookings.$inferInsert> = {}) {
  const startsAt = more.startsAt ?? new Date(Date.now() + 365 * 86_400_000 + ++count * 3_600_000)
  const slot = { startsAt, day: startsAt.toISOString().slice(0, 10), time: '09:30' }
  const what = { projectType: 'Autre', message: '', status: 'booked', email: 'zoe@exemple.fr' }
  const reference = `D-${randomBytes(6).toString('hex').toUpperCase()}`
  const [row] = await db
    .insert(bookings)
    .values({ companyId: await loadSiteOwnerId(db), reference, ...slot, ...CONTACT_FIELDS, ...what, ...more })
    .returning()
  if (!row) throw new Error('no booking')
  return row
}

export async function makeRequest(db: Db, more: Partial<typeof requests.$inferInsert> = {}) {
  const fingerprint = randomBytes(16).toString('hex')
  const what = { kind: 'contact', subject: 'tarifs', message: 'Combien coûte Voisol ?', email: 'zoe@exemple.fr' }
  const [row] = await db
    .insert(requests)
    .values({ companyId: await loadSiteOwnerId(db), fingerprint, ...CONTACT_FIELDS, ...what, ...more })
    .returning()
  if (!row) throw new Error('no request')
  return row
}

/** Published content, as a test of requests needs it. */
export async function makeRequestableContent(
  db: Db,
  kind: 'webinar' | 'white-paper',
  more: Record<string, unknown> = {},
) {
  const slug = `${kind}-${++count}`
  const draft = {
    title: 'Partager son toit',
    slug,
    summary: 'En bref.',
    category: '',
    author: 'Voisol',
    position: 100,
    body: '## Comprendre\n\nUn toit, plusieurs voisins.',
    imageId: null,
    imageAlt: '',
    startsAt: null,
    minutes: null,
    speaker: '',
    joinUrl: '',
    ...more,
  }
  const state = { status: 'published', draft, live: draft, publishedAt: new Date(), liveAt: new Date() }
  await db.insert(contents).values({ companyId: await loadSiteOwnerId(db), kind, slug, ...state, updatedBy: 'Voisol' })
  return slug
}
