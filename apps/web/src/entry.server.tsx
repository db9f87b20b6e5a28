import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { createStaticHandler, createStaticRouter, matchPath, StaticRouterProvider } from 'react-router'
import { FALLBACK, fullTitle, type Handle } from './lib/metadata.ts'
import { createRoutes } from './routes.tsx'
import { screensFor } from './screens.ts'
import { Splash } from './shells/splash.tsx'

export type PageRequest = {
  url: string
  template: string
  nonce: string
  /** What the server tells the browser: public settings only. */
  settings: Record<string, string>
  /** Answers a public endpoint without leaving the process. */
  read: (path: string) => Promise<unknown>
}
export type PageReply = { status: number; headers: Record<string, string>; html: string }

const safe = (text: string) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)

function head(url: URL, handle: Handle, indexed: boolean) {
  const title = safe(fullTitle(handle.title))
  const description = safe(handle.description ?? FALLBACK.description)
  const canonical = safe(url.origin + (url.pathname === '/home' ? '/' : url.pathname))
  return [
    `<title>${title}</title>`,
    `<meta name="description" content="${description}">`,
    `<meta name="keywords" content="${safe(FALLBACK.keywords.join(', '))}">`,
    ...(indexed ? [`<link rel="canonical" href="${canonical}">`] : ['<meta name="robots" content="noindex">']),
    `<meta property="og:title" content="${title}">`,
    `<meta property="og:description" content="${description}">`,
    `<meta property="og:image" content="${safe(url.origin + FALLBACK.previewImageUrl)}">`,
    '<meta property="og:type" content="website"><meta property="og:locale" content="fr_FR">',
  ].join('\n    ')
}

const json = (id: string, value: unknown, nonce: string) =>
  `<script type="application/json" id="${id}" nonce="${nonce}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`

const fill = (request: PageRequest, headHtml: string, app: string, loaderData: unknown) =>
  request.template
    .replace('<!--head-->', () => headHtml)
    .replace('<div id="root">', () => `<div id="root" data-rendered="${loaderData !== undefined}">`)
    .replace('<!--app-->', () => app)
    .replace('<!--data-->', () =>
      ['settings', 'loader-data']
        .map((id, i) => json(id, [request.settings, loaderData ?? null][i], request.nonce))
        .join(''),
    )

/** The site's pages come rendered; a signed-in screen starts with the splash and is drawn in the browser. */
export async function renderPage(request: PageRequest): Promise<PageReply> {
  const url = new URL(request.url)
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  const development = request.settings.development === 'true'
  const screen = screensFor(development).find((row) => matchPath(row.path, url.pathname))
  if (screen) {
    const html = fill(request, head(url, { title: screen.title }, false), renderToString(<Splash />), undefined)
    return { status: 200, headers, html }
  }
  const handler = createStaticHandler(createRoutes(development))
  const context = await handler.query(new Request(url), { requestContext: { read: request.read } })
  if (context instanceof Response)
    return { status: context.status, headers: { location: context.headers.get('location') ?? '/' }, html: '' }
  const app = renderToString(
    <StrictMode>
      <StaticRouterProvider
        router={createStaticRouter(handler.dataRoutes, context)}
        context={context}
        hydrate={false}
      />
    </StrictMode>,
  )
  const handle: Handle = context.matches.at(-1)?.route.handle ?? {}
  const status = handle.notFound ? 404 : context.statusCode
  return { status, headers, html: fill(request, head(url, handle, status === 200), app, context.loaderData) }
}
