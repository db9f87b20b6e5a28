import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const api = process.env.VOISOL_API ?? 'http://127.0.0.1:3001'

async function read(path: string): Promise<unknown> {
  const answer = await fetch(new URL(path, api))
  if (answer.status >= 500) throw new Error(`${path} answered ${answer.status}`)
  return answer.ok ? answer.json() : null
}

/** In development Vite renders the pages itself, so that a change shows at once on both sides. */
export const devPages = (): Plugin => ({
  name: 'voisol-dev-pages',
  configureServer: (server) => () => {
    server.middlewares.use(async (request, response, next) => {
      try {
        const url = request.originalUrl ?? '/'
        const raw = await readFile(join(server.config.root, 'index.html'), 'utf8')
        const template = await server.transformIndexHtml(url, raw)
        const entry = await server.ssrLoadModule('/src/entry.server.tsx')
        const page = await entry.renderPage({
          url: new URL(url, 'http://127.0.0.1').href,
          template,
          settings: { development: 'true' },
          read,
        })
        response.writeHead(page.status, page.headers).end(page.html)
      } catch (error) {
        next(error)
      }
    })
  },
})
