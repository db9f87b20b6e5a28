import { setImmediate } from 'node:timers/promises'
import staticFiles from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { WebBuild } from '../web-build.ts'
import { getRequestOrigin } from './client-address.ts'
import { AppError } from './errors.ts'
import { type CachedPage, createCachedPage, createPageCache, sendCachedPage } from './page-cache.ts'

const IMMUTABLE_CACHE = 'public, max-age=31536000, immutable'

const registerFiles = (app: FastifyInstance, root: string) =>
  app.register(staticFiles, {
    root,
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    globIgnore: ['index.html', '**/*.br', '**/*.gz', '.vite/**'],
    setHeaders: (response, path) =>
      response.header('cache-control', path.includes('/assets/') ? IMMUTABLE_CACHE : 'public, max-age=3600'),
  })

/** A redirect to a new address; not cached by browsers, so that it can be undone. */
const redirect = (reply: FastifyReply, to: string, permanent: boolean) =>
  reply.header('cache-control', 'no-cache').redirect(to, permanent ? 301 : 302)

async function prerenderPages(paths: Iterable<string>, render: (path: string) => Promise<unknown>) {
  for (const path of paths) {
    await render(path).catch(() => {})
    await setImmediate()
  }
}

/** Uses the path as decoded by the router, however it was written. */
const isApiCall = ({ params }: FastifyRequest) => /^api(?:\/|$)/i.test(String((params as { '*': string })['*'])) // of the route below

/** Site, back office and portal: static files of the build, pages rendered on change. */
export async function registerPages(app: FastifyInstance, web: WebBuild, site: SiteStateProvider) {
  await registerFiles(app, web.files)
  const render = createPageRenderer(app, web)
  const { PUBLIC_URL } = app.deps.config
  const pages = web.sitePages.map(({ path }) => path)
  const built = new Set([...pages, ...web.screenPaths])
  // The first rendering of a page loads its module and is slow, so it is done in advance.
  app.addHook('onListen', () => {
    const origin = PUBLIC_URL ? new URL(PUBLIC_URL).origin : app.listeningOrigin
    void prerenderPages(pages, async (path) => render({ origin, path, read: '' }, await site.current()))
  })
  app.get('/*', async (request, reply) => {
    if (isApiCall(request)) throw new AppError('not-found')
    const { given, path, query, read } = parsePageAddress(request.url)
    if (given !== path) return redirect(reply, path + query, true)
    const state = await site.current()
    const moved = built.has(path) ? undefined : state.redirects.get(path)
    if (moved) {
      site.count(moved.id)
      return redirect(reply, moved.to + query, moved.permanent)
    }
    return sendCachedPage(
      request,
      reply,
      await render({ origin: getRequestOrigin(request, PUBLIC_URL), path, read }, state),
    )
  })
}

/** Shows the present state; a joining page must disappear at once when the company closes it. */
const isNeverCached = (path: string) => path === '/status' || path.startsWith('/rejoindre/')

const getPageSettings = ({ ANALYTICS_ID, ANALYTICS_URL, PUBLIC_URL, production }: Config): Record<string, string> => ({
  ...(ANALYTICS_ID && ANALYTICS_URL && { analyticsId: ANALYTICS_ID, analyticsUrl: ANALYTICS_URL }),
  // On another host, the page belongs to a company.
  ...(PUBLIC_URL && { home: new URL(PUBLIC_URL).hostname }),
  ...(!production && { development: 'true' }),
})

/** Calls a public endpoint within the process. Not found is null; other failures are errors. */
const createEndpointReader = (app: FastifyInstance) => async (path: string, origin: string) => {
  // With the host of the page, since some content is specific to a company.
  const answer = await app.inject({ method: 'GET', url: path, headers: { host: new URL(origin).host } })
  if (answer.statusCode >= 500) throw new Error(`${path} answered ${answer.statusCode}`)
  return answer.statusCode === 200 ? answer.body : 'null'
}

type PageRenderRequest = { origin: string; path: string; read: string }
/** A page with all data it was made from. */
type RenderedPage = CachedPage & { answers: Map<string, string>; written: string }

/** Site pages and first pages of the screens, each rendered when its data change. */
function createPageRenderer(app: FastifyInstance, web: WebBuild) {
  const settings = getPageSettings(app.deps.config)
  const cache = createPageCache<RenderedPage>()
  const { template, siteTemplate, filesOf } = web
  const read = createEndpointReader(app)
  const writtenFor = (path: string, { records }: SiteState) => JSON.stringify(records.get(path) ?? null)

  async function make(wanted: PageRenderRequest, state: SiteState) {
    const url = wanted.origin + wanted.path + wanted.read
    const answers = new Map<string, string>()
    const remember = async (path: string) => {
      const text = await read(path, wanted.origin)
      answers.set(path, text)
      return JSON.parse(text)
    }
    const given = { url, template, siteTemplate, settings, filesOf, read: remember }
    const page = await web.renderPage({ ...given, written: state.records.get(wanted.path) })
    const value = { ...createCachedPage(page), answers, written: writtenFor(wanted.path, state) }
    return { value, outcome: isNeverCached(wanted.path) ? ('once' as const) : page.outcome }
  }

  async function stillTrue(
    { answers, written }: RenderedPage,
    { path, origin }: PageRenderRequest,
    state: SiteState,
  ): Promise<boolean> {
    if (written !== writtenFor(path, state)) return false
    for (const [address, text] of answers) if ((await read(address, origin).catch(() => null)) !== text) return false
    return true
  }

  return (wanted: PageRenderRequest, state: SiteState): Promise<CachedPage> => {
    const place = web.placeOf(wanted.path, settings)
    const key = `${wanted.origin}${place}${place === wanted.path ? wanted.read : ''}`
    return cache.get(key, state.revision, {
      make: () => make(wanted, state),
      stillTrue: (drawn) => stillTrue(drawn, wanted, state),
    })
  }
}

/** The query parameters that page data may depend on; all others are ignored. */
const READ_PARAMETERS = ['page', 'q', 'category']
const MAX_PARAMETER_LENGTH = 200

/** `path`: the canonical path, without double or trailing slashes. `read`: the part of the query that the page uses. */
export function parsePageAddress(url: string) {
  const [given = '/', query = ''] = url.split(/\?(.*)/s, 2)
  const search = new URLSearchParams(query)
  const kept = new URLSearchParams()
  for (const name of READ_PARAMETERS) {
    const value = search.get(name)
    if (value) kept.set(name, value.slice(0, MAX_PARAMETER_LENGTH))
  }
  return {
    given,
    // Browsers treat a backslash as a slash, and two of them as the start of another host.
    path: `/${given.replace(/^[/\\]+|[/\\]+$/g, '')}`,
    query: query && `?${query}`,
    read: kept.size ? `?${kept}` : '',
  }
}

type Redirection = { id: string; to: string; permanent: boolean }
type PageRecord = { title: string; description: string; keywords: string[]; previewImageUrl: string }
export type SiteState = {
  /** Undefined while the database is unavailable. */
  revision: number | undefined
  redirects: Map<string, Redirection>
  records: Map<string, PageRecord>
}

/** What rendering the public pages needs to know about the site. */
export type SiteStateProvider = {
  current: () => Promise<SiteState>
  /** Counts the use of a redirect. */
  count: (id: string) => void
}
