import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { createStaticRouter, type StaticHandlerContext, StaticRouterProvider } from 'react-router'
import { renderDataScript, renderHead, type WrittenMetadata } from './app/rendering/head.ts'
import { findModuleAt, findScreenAt, isUnknownProductPath, staticHandler } from './app/rendering/routes.ts'
import { screens } from './app/screens/table.ts'
import type { Screen } from './app/screens/types.ts'
import { Splash } from './app/shells/splash.tsx'
import { Logo } from './components/logo.tsx'
import { type PageHandle, PRODUCT_NAME, resolvePageHandle } from './lib/metadata.ts'
import { descriptions } from './site/descriptions.ts'
import { pages } from './site/pages.ts'

type PageRequest = {
  url: string
  template: string
  /** For the pages of the site, where it differs. */
  siteTemplate?: string
  /** What the server tells the browser: public settings only. */
  settings: Record<string, string>
  /** Answers a public endpoint without leaving the process; throws when the answer cannot be had. */
  read: (path: string) => Promise<unknown>
  written?: WrittenMetadata | undefined
  /** The files a module needs, in addition to those every page loads. */
  filesOf?: ((modules: string[]) => string[]) | undefined
}
type PageReply = {
  status: number
  headers: Record<string, string>
  html: string
  /** The same for everybody until the site changes; for this request alone; or without what could not be read. */
  outcome: 'lasting' | 'once' | 'incomplete'
}

const HTML_HEADERS = { 'content-type': 'text/html; charset=utf-8' }
const isDevelopment = (settings: Record<string, string>) => settings.development === 'true'

/** The pages that are always there; `canonical` names the first address of those that have two. */
export const sitePages = pages
  .filter(({ path, meta }) => !path.includes(':') && !meta)
  .map(({ path, title, noIndex, canonical }) => ({
    path,
    title,
    description: descriptions[path],
    ...(noIndex && { noIndex }),
    ...(canonical && { canonical }),
  }))
export const screenPaths = screens.map(({ path }: Screen) => path)

/** Two addresses of the same kind of screen start with the same page. */
export const placeOf = (path: string, settings: Record<string, string>) =>
  findScreenAt(path, isDevelopment(settings))?.path ?? path

type PageParts = { head: string; app: string; data?: unknown; modules?: string[] }
const fillTemplate = ({ template, settings }: PageRequest, parts: PageParts) =>
  template
    .replace('<!--head-->', () => parts.head)
    .replace('<div id="root">', () => `<div id="root" data-rendered="${parts.data !== undefined}">`)
    .replace('<!--app-->', () => parts.app)
    .replace('<!--data-->', () =>
      [
        renderDataScript('application/json', settings, 'settings'),
        renderDataScript('application/json', parts.data ?? null, 'loader-data'),
        ...(parts.modules ? [renderDataScript('application/json', parts.modules, 'modules')] : []),
      ].join(''),
    )

const NOT_INDEXED = { data: undefined, written: undefined, indexed: false }

function renderScreen(request: PageRequest, url: URL, { title }: Pick<Screen, 'title'>): PageReply {
  const parts = { head: renderHead({ url, handle: { title }, ...NOT_INDEXED }), app: renderToString(<Splash />) }
  return { status: 200, headers: HTML_HEADERS, html: fillTemplate(request, parts), outcome: 'lasting' }
}

/** Without a program: in the browser the page would take the missing text for a page that does not exist. */
function renderUnavailable(request: PageRequest, url: URL): PageReply {
  const handle = { title: 'Page indisponible pour le moment' }
  const app = renderToString(<PageUnavailable path={url.pathname} />)
  const html = fillTemplate(request, { head: renderHead({ url, handle, ...NOT_INDEXED }), app })
  const htmlWithoutScripts = html
    .replace(/<script type="module"[^>]*><\/script>/g, '')
    .replace(/<link rel="modulepreload"[^>]*>/g, '')
  return {
    status: 503,
    headers: { ...HTML_HEADERS, 'retry-after': '10' },
    html: htmlWithoutScripts,
    outcome: 'incomplete',
  }
}

const renderRoutes = (context: StaticHandlerContext) =>
  renderToString(
    <StrictMode>
      <StaticRouterProvider
        router={createStaticRouter(staticHandler.dataRoutes, context)}
        context={context}
        hydrate={false}
      />
    </StrictMode>,
  )

/** The files of the page's program, fetched once somebody is there. */
function listPageModules({ filesOf }: PageRequest, path: string): string[] {
  const page = findModuleAt(path)
  return (page && filesOf?.(['src/entry.client.tsx', 'src/app/shells/site.tsx', page])) || []
}

async function renderSite(request: PageRequest, url: URL): Promise<PageReply> {
  let missing = false
  const read = (path: string) =>
    request.read(path).catch((error: unknown) => {
      missing = true
      throw error
    })
  const context = await staticHandler.query(new Request(url), { requestContext: { read } })
  if (context instanceof Response) {
    const location = context.headers.get('location') ?? '/'
    return { status: context.status, headers: { location }, html: '', outcome: 'once' }
  }
  const route = context.matches.at(-1)?.route
  const data = route && context.loaderData[route.id]
  const handle = resolvePageHandle((route?.handle as PageHandle | undefined) ?? {}, data) // every handle of the routes is one
  if (missing && handle.notFound) return renderUnavailable(request, url)
  const status = handle.notFound ? 404 : context.statusCode
  const indexed = status === 200 && !handle.noIndex
  const written = status === 200 ? request.written : undefined
  const headHtml = renderHead({ url, handle, indexed, data, written })
  const modules = listPageModules(request, url.pathname)
  const html = fillTemplate(request, { head: headHtml, app: renderRoutes(context), data: context.loaderData, modules })
  return { status, headers: HTML_HEADERS, html, outcome: missing ? 'incomplete' : status === 200 ? 'lasting' : 'once' }
}

/** The site's pages come rendered; a signed-in screen starts with the splash and is drawn in the browser. */
export async function renderPage(request: PageRequest): Promise<PageReply> {
  const url = new URL(request.url)
  const screen = findScreenAt(url.pathname, isDevelopment(request.settings))
  if (screen) return renderScreen(request, url, screen)
  if (isUnknownProductPath(url.pathname))
    return { ...renderScreen(request, url, { title: 'Page introuvable' }), status: 404, outcome: 'once' }
  return renderSite({ ...request, template: request.siteTemplate ?? request.template }, url)
}

/** A page whose text could not be read: it is told apart from a page that does not exist. */
function PageUnavailable({ path }: { path: string }) {
  return (
    <main className="grid min-h-dvh place-items-center bg-white px-4 text-ink">
      <div className="max-w-lg text-center">
        <Logo className="mx-auto size-14" />
        <h1 className="mt-6 text-3xl font-semibold">Cette page revient dans un instant</h1>
        <p className="mt-4 text-lg text-ink-soft">
          Le texte de cette page ne peut pas être lu pour le moment. Rien n’est perdu&nbsp;: réessayez dans quelques
          secondes.
        </p>
        <p className="mt-8 flex flex-wrap justify-center gap-x-6 gap-y-2">
          <a className="font-medium text-primary-ink underline" href={path}>
            Réessayer
          </a>
          <a className="font-medium text-primary-ink underline" href="/">
            Accueil de {PRODUCT_NAME}
          </a>
        </p>
      </div>
    </main>
  )
}
