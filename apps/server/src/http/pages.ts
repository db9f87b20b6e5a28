import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import compress from '@fastify/compress'
import staticFiles from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { StartupError } from '../startup-error.ts'
import { AppError } from './errors.ts'

const BUILD = join(import.meta.dirname, '../../../web/build')

/** What the web build offers; the server knows nothing else of it. */
type PageReply = { status: number; headers: Record<string, string>; html: string }
type WebEntry = { renderPage(request: object): Promise<PageReply> }

const YEAR = 'public, max-age=31536000, immutable'

async function loadWeb() {
  const entry = join(BUILD, 'server/entry.server.js')
  if (!existsSync(entry))
    throw new StartupError('L’interface n’est pas construite : lancez npm start, ou npm run build.')
  const web: WebEntry = await import(entry)
  return { web, template: await readFile(join(BUILD, 'client/index.html'), 'utf8') }
}

/** Site, back office and portal: files as they were built, pages rendered on demand. */
export async function registerPages(app: FastifyInstance) {
  const { config } = app.deps
  const { web, template } = await loadWeb()
  await app.register(compress, { global: false, encodings: ['br', 'gzip'] })
  await app.register(staticFiles, {
    root: join(BUILD, 'client'),
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    globIgnore: ['index.html', '**/*.br', '**/*.gz', '.vite/**'],
    setHeaders: (response, path) =>
      response.header('cache-control', path.includes('/assets/') ? YEAR : 'public, max-age=3600'),
  })
  const settings = {
    ...(config.ANALYTICS_ID &&
      config.ANALYTICS_URL && { analyticsId: config.ANALYTICS_ID, analyticsUrl: config.ANALYTICS_URL }),
    ...(!config.production && { development: 'true' }),
  }
  const read = async (path: string) => {
    const answer = await app.inject({ method: 'GET', url: path })
    return answer.statusCode === 200 ? answer.json() : null
  }
  const origin = (request: FastifyRequest) => config.PUBLIC_URL ?? `${request.protocol}://${request.host}`
  app.get('/*', { compress: { threshold: 1024 } }, async (request, reply) => {
    if (request.url.startsWith('/api/')) throw new AppError('not-found')
    const url = new URL(request.url, origin(request)).href
    const page = await web.renderPage({ url, template, nonce: request.nonce, settings, read })
    return reply
      .code(page.status)
      .headers({ 'cache-control': 'no-cache', ...page.headers })
      .send(page.html)
  })
}
