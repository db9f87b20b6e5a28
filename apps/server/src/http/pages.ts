import { setImmediate } from 'node:timers/promises'
import staticFiles from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { WebBuild } from '../web-build.ts'
import { AppError } from './errors.ts'
import { sendCachedPage } from './kept-page.ts'
import { getRequestOrigin } from './origin.ts'
import { parsePageAddress } from './page-address.ts'
import { createPageRenderer } from './page-renderer.ts'
import type { SiteStateProvider } from './site.ts'

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
