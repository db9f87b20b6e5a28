import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Db, transaction } from '../db/client.ts'
import { getClientNetwork } from './client-address.ts'
import { escapeHtml } from './response-text.ts'
import { throttle } from './throttle.ts'

const FORM = 'application/x-www-form-urlencoded'
const MAX_FORM_BYTES = 1000
const MAX_CALLS_PER_HOUR = 300
const getKey = ({ params }: FastifyRequest) => (params as { key: string }).key // it stands in the address

type OneClickRoute = {
  /** Ends with `/:key`. */
  path: string
  leave: (tx: Db, key: string) => Promise<unknown>
  said: string
  /** Where a GET on the link redirects; without it, a confirmation page is shown. */
  leadsTo?: (key: string) => string
  asks?: string
}

const buildPage = (title: string, body: string) => `<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${title} — Voisol</title>
<style>
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #faf8f4; color: #1f2a37; font: 1.0625rem/1.6 system-ui, sans-serif }
main { max-width: 26rem; margin: 1rem; padding: 2rem; background: #fff; border-radius: 1rem; border: 1px solid #e7e2d8 }
h1 { margin: 0 0 .75rem; font-size: 1.375rem; line-height: 1.3 }
p { margin: 0 }
form { margin-top: 1.5rem }
button { font: inherit; font-weight: 600; padding: .75rem 1.25rem; border: 0; border-radius: .625rem; background: #1f2a37; color: #fff; cursor: pointer }
button:focus-visible { outline: 3px solid #b45309; outline-offset: 2px }
</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>`

/** Shown to persons and to programs that scan links: only the button unsubscribes. */
const buildConfirmationPage = (question: string) =>
  buildPage(
    'Ne plus recevoir ces messages',
    `<p>${escapeHtml(question)}</p>\n<form method="post"><button>Ne plus les recevoir</button></form>`,
  )
const HTML = 'text/html; charset=utf-8'

/**
 * One-click unsubscribe of mail programs (RFC 8058): they post a form without a page, a cookie or a session. The signed
 * key is all it carries, and unsubscribing is all it does.
 */
export function registerOneClickRoute(app: FastifyInstance, { path, leave, said, leadsTo, asks = '' }: OneClickRoute) {
  app.register(async (scope) => {
    scope.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: MAX_FORM_BYTES }, (_, body, done) =>
      done(null, body),
    )
    scope.post(path, { bodyLimit: MAX_FORM_BYTES }, async (request, reply) => {
      const { deps } = app
      await throttle(deps.aside, `unsubscribe ${getClientNetwork(request.ip)}`, MAX_CALLS_PER_HOUR, 3600)
      await transaction(deps.db, (tx) => leave(tx, getKey(request)))
      return request.headers.accept?.includes('text/html')
        ? reply.type(HTML).send(buildPage('C’est noté', `<p>${escapeHtml(said)}</p>`))
        : reply.type('text/plain; charset=utf-8').send(said)
    })
    scope.get(path, async (request, reply) =>
      leadsTo
        ? reply.redirect(leadsTo(getKey(request)), 303)
        : reply.type(HTML).header('cache-control', 'no-store').send(buildConfirmationPage(asks)),
    )
  })
}
