import type { FastifyInstance } from 'fastify'
import { getRequestOrigin } from '../../../http/client-address.ts'
import { escapeHtml } from '../../../http/response-text.ts'
import { type KnownPage, listKnownPages } from './known-pages.ts'

const toSitemapEntry =
  (origin: string) =>
  ({ path, changedAt }: KnownPage) => {
    const date = changedAt ? `<lastmod>${changedAt.toISOString()}</lastmod>` : ''
    return `  <url><loc>${escapeHtml(origin + path)}</loc>${date}</url>`
  }

const buildSitemap = (origin: string, pages: KnownPage[]) =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...pages.filter(({ indexed }) => indexed).map(toSitemapEntry(origin)),
    '</urlset>',
    '',
  ].join('\n')

/** Without the built pages their screens are not known by name. */
const DEFAULT_SCREENS = ['/admin', '/dashboard', '/client-portal', '/login']

/** The addresses below which there is nothing to find; one that begins like a public page is closed exactly. */
export function listDisallowedPaths(screens: string[], pages: string[]): string[] {
  const roots = [...new Set(screens.map((path) => path.replace(/\/:.*$/, '')))].sort()
  const tops = roots.filter((path) => !roots.some((other) => path.startsWith(`${other}/`)))
  return tops.flatMap((path) => {
    if (!pages.some((page) => page.startsWith(path))) return [path]
    return pages.some((page) => page.startsWith(`${path}/`)) ? [`${path}$`] : [`${path}$`, `${path}/`]
  })
}

const buildRobotsTxt = (origin: string, closed: string[]) =>
  [
    'User-agent: *',
    'Allow: /api/site-images/',
    ...['/api/', '/dev/', ...closed.filter((path) => !path.startsWith('/dev/'))].map((path) => `Disallow: ${path}`),
    'Allow: /',
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n')

/** What search engines read before the pages; beside the contract, because no program of ours calls it. */
export function registerSiteFiles(app: FastifyInstance) {
  const { db, config } = app.deps
  app.get('/sitemap.xml', async (request, reply) => {
    const pages = await listKnownPages(db, app.web)
    reply.type('application/xml; charset=utf-8').header('cache-control', 'no-cache')
    return buildSitemap(getRequestOrigin(request, config.PUBLIC_URL), pages)
  })
  app.get('/robots.txt', async (request, reply) => {
    const pages = app.web?.sitePages.map(({ path }) => path) ?? []
    reply.type('text/plain; charset=utf-8').header('cache-control', 'no-cache')
    return buildRobotsTxt(
      getRequestOrigin(request, config.PUBLIC_URL),
      listDisallowedPaths(app.web?.screenPaths ?? DEFAULT_SCREENS, pages),
    )
  })
}
