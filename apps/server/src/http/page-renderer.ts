import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { WebBuild } from '../web-build.ts'
import { type CachedPage, createCachedPage } from './kept-page.ts'
import { createPageCache } from './page-cache.ts'
import type { SiteState } from './site.ts'

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

export type PageRenderRequest = { origin: string; path: string; read: string }
/** A page with all data it was made from. */
type RenderedPage = CachedPage & { answers: Map<string, string>; written: string }

/** Site pages and first pages of the screens, each rendered when its data change. */
export function createPageRenderer(app: FastifyInstance, web: WebBuild) {
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
