import { apiDocs } from '@voisol/contract/api-docs'
import type { FastifyInstance } from 'fastify'
import { networkOf } from '../../../http/network.ts'
import { route } from '../../../http/route.ts'
import { throttle } from '../../../http/throttle.ts'
import { apiDocsPdf } from '../../../pdf/api-docs.ts'
import { VERSION } from '../../../version.ts'
import { demoCompany } from '../demo/demo.ts'
import { docEndpoints, docEvents } from './docs.ts'
import { demoCaller } from './try-out.ts'

const TRIES = { limit: 30, seconds: 600 }

export function apiDocRoutes(app: FastifyInstance) {
  const tryCall = demoCaller(app)
  let pdf: Promise<Uint8Array> | undefined
  /** The same for everybody until the next version: made once. */
  function pdfOnce() {
    pdf ??= apiDocsPdf({
      version: VERSION,
      home: app.deps.config.PUBLIC_URL?.replace(/\/$/, '') ?? '',
      endpoints: docEndpoints(),
      events: docEvents(),
    })
    pdf.catch(() => {
      pdf = undefined
    })
    return pdf
  }

  route(app, apiDocs.get, async (_, { db }) => ({
    version: VERSION,
    endpoints: docEndpoints(),
    demo: (await demoCompany(db)) !== undefined,
  }))
  route(app, apiDocs.pdf, async () => ({ name: 'documentation-api-voisol.pdf', content: await pdfOnce() }))
  route(app, apiDocs.tryOut, async ({ body }, { aside, request }) => {
    await throttle(aside, `api-docs try ${networkOf(request.ip)}`, TRIES.limit, TRIES.seconds)
    return tryCall(body.id, body.query, body.key ? { key: body.key, ip: request.ip } : undefined)
  })
}
