import { apiDocs } from '@voisol/contract/api-docs'
import { buildApiDocsPdf } from '@voisol/documents/pdf/api-docs'
import type { FastifyInstance } from 'fastify'
import { getClientNetwork } from '../../../http/client-address.ts'
import { addRoute } from '../../../http/route.ts'
import { throttle } from '../../../http/throttle.ts'
import { RELEASE } from '../../../version.ts'
import { findDemoCompany } from '../demo/index.ts'
import { buildEventDocs, getEndpointDocs } from './endpoint-docs.ts'
import { createDemoCaller } from './try-call.ts'

const TRY_OUT_LIMIT = { limit: 30, seconds: 600 }

export function apiDocRoutes(app: FastifyInstance) {
  const tryCall = createDemoCaller(app)
  let pdf: Promise<Uint8Array> | undefined
  /** The PDF is identical for everybody until the next release, so that it is built once per process. */
  function getPdf() {
    pdf ??= buildApiDocsPdf({
      version: RELEASE,
      home: app.deps.config.PUBLIC_URL?.replace(/\/$/, '') ?? '',
      endpoints: getEndpointDocs(),
      events: buildEventDocs(),
    })
    pdf.catch(() => {
      pdf = undefined
    })
    return pdf
  }

  addRoute(app, apiDocs.get, async (_, { db }) => ({
    version: RELEASE,
    endpoints: getEndpointDocs(),
    demo: (await findDemoCompany(db)) !== undefined,
  }))
  addRoute(app, apiDocs.pdf, async () => ({ name: 'documentation-api-voisol.pdf', content: await getPdf() }))
  addRoute(app, apiDocs.tryOut, async ({ body }, { aside, request }) => {
    await throttle(aside, `api-docs try ${getClientNetwork(request.ip)}`, TRY_OUT_LIMIT.limit, TRY_OUT_LIMIT.seconds)
    return tryCall(body.id, body.query, body.key ? { key: body.key, ip: request.ip } : undefined)
  })
}
