import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { buildOpenApi } from './openapi.ts'
import { escapeHtml } from './response-text.ts'
import { sandboxPage } from './security.ts'

const SETTINGS = {
  localization: { locale: 'fr' },
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  // A call from the page would be one from another origin, which the server refuses: /api-docs tries calls.
  hideTestRequestButton: true,
  theme: 'default',
  forceDarkModeState: 'light',
  hideDarkModeToggle: true,
  metaData: { title: 'Référence de l’API — Voisol' },
}

/** A sandboxed page has no storage, which the program expects to find: what it keeps lives as long as the page. */
const MEMORY_STORAGE = `for (const name of ['localStorage', 'sessionStorage']) {
  const values = new Map()
  Object.defineProperty(window, name, { value: {
    getItem: (key) => values.get(String(key)) ?? null,
    setItem: (key, value) => void values.set(String(key), String(value)),
    removeItem: (key) => void values.delete(String(key)),
    clear: () => values.clear(),
    key: (index) => [...values.keys()][index] ?? null,
    get length() { return values.size },
  } })
}`

/** As a block of data in a page: no text of it can end the block. */
const toDataBlock = (json: string) => json.replaceAll('<', '\\u003c')

const buildReferencePage = (nonce: string, openApi: string) => `<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<meta property="csp-nonce" content="${nonce}">
<title>Référence de l’API — Voisol</title>
</head>
<body>
<noscript>La référence interactive demande JavaScript. Le document <a href="/api/openapi.json">openapi.json</a> contient les mêmes informations.</noscript>
<script id="api-reference" type="application/json" data-configuration="${escapeHtml(JSON.stringify(SETTINGS))}">${toDataBlock(openApi)}</script>
<script nonce="${nonce}">${MEMORY_STORAGE}</script>
<script src="/api/reference/scalar.js" nonce="${nonce}"></script>
</body>
</html>`

/** The package has its browser script inside its Fastify plugin, which is loaded once, when the page is first read. */
async function loadReferenceScript() {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const pluginServer = Fastify()
  await pluginServer.register(scalar, { routePrefix: '/', configuration: { url: '/api/openapi.json' } })
  const { rawPayload } = await pluginServer.inject('/js/scalar.js')
  await pluginServer.close()
  return promisify(gzip)(rawPayload)
}

export function registerApiReference(app: FastifyInstance) {
  let document: string | undefined
  let bundle: Promise<Buffer> | undefined
  const getDocument = () => {
    document ??= JSON.stringify(buildOpenApi(app.deps.config.PUBLIC_URL))
    return document
  }
  app.get('/api/openapi.json', async (_, reply) => reply.type('application/json; charset=utf-8').send(getDocument()))
  app.get('/api/reference', async (request, reply) => {
    sandboxPage(request, reply)
    return reply.type('text/html; charset=utf-8').send(buildReferencePage(request.nonce, getDocument()))
  })
  app.get('/api/reference/scalar.js', async (_, reply) => {
    bundle ??= loadReferenceScript()
    return reply
      .type('text/javascript; charset=utf-8')
      .header('content-encoding', 'gzip')
      .header('cache-control', 'public, max-age=86400')
      .send(await bundle)
  })
}
