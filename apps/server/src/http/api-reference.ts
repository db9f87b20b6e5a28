import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { buildOpenApi } from './openapi.ts'
import { escapeHtml } from './response-text.ts'
import { allowUntrustedTypes } from './security.ts'

const SETTINGS = {
  localization: { locale: 'fr' },
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  theme: 'default',
  forceDarkModeState: 'light',
  hideDarkModeToggle: true,
  metaData: { title: 'Référence de l’API — Voisol' },
}

const buildReferencePage = (nonce: string) => `<!doctype html>
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
<script id="api-reference" data-url="/api/openapi.json" data-configuration="${escapeHtml(JSON.stringify(SETTINGS))}"></script>
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
  app.get('/api/openapi.json', async (_, reply) => {
    document ??= JSON.stringify(buildOpenApi(app.deps.config.PUBLIC_URL))
    return reply.type('application/json; charset=utf-8').send(document)
  })
  app.get('/api/reference', async (request, reply) => {
    allowUntrustedTypes(reply)
    return reply.type('text/html; charset=utf-8').send(buildReferencePage(request.nonce))
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
