import { randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import Fastify from 'fastify'
import type { Deps } from './deps.ts'
import { allocationRoutes } from './features/allocations/routes.ts'
import { apiDocRoutes } from './features/api-docs/routes.ts'
import { auditRoutes } from './features/audit/routes.ts'
import { authRoutes } from './features/auth/routes.ts'
import { bookingRoutes } from './features/bookings/routes.ts'
import { companyRoutes } from './features/companies/routes.ts'
import { consentRoutes } from './features/consents/routes.ts'
import { contentRoutes } from './features/content/routes.ts'
import { curveRoutes } from './features/curves/routes.ts'
import { distributorFileRoutes } from './features/distributor-files/routes.ts'
import { documentRoutes } from './features/documents/routes.ts'
import { enedisRoutes } from './features/enedis/routes.ts'
import { energyRoutes } from './features/energy/routes.ts'
import { keyRoutes } from './features/keys/routes.ts'
import { registerDevMail } from './features/mail/dev-page.ts'
import { notificationRoutes } from './features/notifications/routes.ts'
import { operationRoutes } from './features/operations/routes.ts'
import { participantRoutes } from './features/participants/routes.ts'
import { profileRoutes } from './features/profile/routes.ts'
import { projectRoutes } from './features/projects/routes.ts'
import { reconciliationRoutes } from './features/reconciliation/routes.ts'
import { requestRoutes } from './features/requests/routes.ts'
import { seoRoutes } from './features/seo/routes.ts'
import { openSite } from './features/seo/site.ts'
import { simulatorRoutes } from './features/simulator/routes.ts'
import { statusRoutes } from './features/status/routes.ts'
import { syncRoutes } from './features/sync/routes.ts'
import { userRoutes } from './features/users/routes.ts'
import { webhookRoutes } from './features/webhooks/routes.ts'
import { whiteLabelRoutes } from './features/white-label/routes.ts'
import { registerBodies } from './http/bodies.ts'
import { registerErrors } from './http/errors.ts'
import { registerHealth } from './http/health.ts'
import { quietController, registerLogging } from './http/logging.ts'
import { registerMetrics } from './http/metrics.ts'
import { registerNotFound } from './http/not-found.ts'
import { registerPages } from './http/pages.ts'
import { registerReference } from './http/reference.ts'
import { answerRouter, registerSecurity } from './http/security.ts'
import { loadWeb } from './web-build.ts'

/** Behind a proxy its addresses are named in TRUST_PROXY; otherwise X-Forwarded-For is anybody's word and is not heard. */
const trusted = (value: string) => (value === '' ? false : value.split(',').map((part) => part.trim()))

export async function buildApp(deps: Deps) {
  const app = Fastify({
    loggerInstance: deps.log,
    genReqId: () => randomUUID(),
    trustProxy: trusted(deps.config.TRUST_PROXY),
    bodyLimit: 1_048_576,
    frameworkErrors: answerRouter(deps.config),
    logController: quietController(),
    // While it closes, what still arrives on an open connection is answered; /readyz tells the others to go elsewhere.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
  })
  app.decorate('deps', deps)
  app.decorate('web', deps.config.WEB === 'on' ? await loadWeb() : undefined)
  app.decorateRequest('actor', undefined)
  registerBodies(app)
  registerErrors(app)
  await app.register(cookie)
  await registerSecurity(app)
  registerLogging(app)
  registerMetrics(app)
  registerHealth(app)
  registerNotFound(app)
  registerReference(app)

  authRoutes(app)
  userRoutes(app)
  companyRoutes(app)
  whiteLabelRoutes(app)
  profileRoutes(app)
  auditRoutes(app)
  statusRoutes(app)
  notificationRoutes(app)
  operationRoutes(app)
  documentRoutes(app)
  participantRoutes(app)
  consentRoutes(app)
  curveRoutes(app)
  keyRoutes(app)
  allocationRoutes(app)
  energyRoutes(app)
  reconciliationRoutes(app)
  enedisRoutes(app)
  syncRoutes(app)
  distributorFileRoutes(app)
  projectRoutes(app)
  simulatorRoutes(app)
  apiDocRoutes(app)
  contentRoutes(app)
  bookingRoutes(app)
  requestRoutes(app)
  seoRoutes(app)
  webhookRoutes(app)
  registerDevMail(app)

  if (app.web) await registerPages(app, app.web, openSite(app))
  return app
}
