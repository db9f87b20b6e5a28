import { randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import Fastify from 'fastify'
import type { Deps } from './deps.ts'
import { allocationRoutes } from './features/allocations/routes.ts'
import { auditRoutes } from './features/audit/routes.ts'
import { authRoutes } from './features/auth/routes.ts'
import { companyRoutes } from './features/companies/routes.ts'
import { consentRoutes } from './features/consents/routes.ts'
import { curveRoutes } from './features/curves/routes.ts'
import { documentRoutes } from './features/documents/routes.ts'
import { energyRoutes } from './features/energy/routes.ts'
import { keyRoutes } from './features/keys/routes.ts'
import { registerDevMail } from './features/mail/dev-page.ts'
import { notificationRoutes } from './features/notifications/routes.ts'
import { operationRoutes } from './features/operations/routes.ts'
import { participantRoutes } from './features/participants/routes.ts'
import { profileRoutes } from './features/profile/routes.ts'
import { projectRoutes } from './features/projects/routes.ts'
import { statusRoutes } from './features/status/routes.ts'
import { userRoutes } from './features/users/routes.ts'
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
  projectRoutes(app)
  registerDevMail(app)

  if (deps.config.WEB === 'on') await registerPages(app)
  return app
}
