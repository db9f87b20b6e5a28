import { randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import Fastify from 'fastify'
import type { Deps } from './deps.ts'
import { subscribers } from './events/subscribers.ts'
import { registerBookRoutes } from './features/accounting/books/routes.ts'
import { registerDeclarationRoutes } from './features/accounting/declarations/routes.ts'
import { registerSupplierBillRoutes } from './features/accounting/supplier-bills/routes.ts'
import { registerTakeoverRoutes } from './features/accounting/takeovers/routes.ts'
import { apiDocRoutes } from './features/admin/api-docs/routes.ts'
import { apiKeyRoutes } from './features/admin/api-keys/routes.ts'
import { backupRoutes } from './features/admin/backups/routes.ts'
import { connectionRoutes } from './features/admin/connections/routes.ts'
import { flowRoutes } from './features/admin/event-forwarding/routes.ts'
import { exportRoutes } from './features/admin/exports/routes.ts'
import { gatewayRoutes } from './features/admin/gateway/routes.ts'
import { healthRoutes } from './features/admin/health/routes.ts'
import { incidentRoutes } from './features/admin/incidents/routes.ts'
import { onboardingRoutes } from './features/admin/onboarding/routes.ts'
import { ownFeedRoutes } from './features/admin/own-feed/routes.ts'
import { retentionRoutes } from './features/admin/retention/routes.ts'
import { searchRoutes } from './features/admin/search/routes.ts'
import { statusRoutes } from './features/admin/status/routes.ts'
import { subscriptionRoutes } from './features/admin/subscription/routes.ts'
import { usageRoutes } from './features/admin/usage/routes.ts'
import { webhookRoutes } from './features/admin/webhooks/routes.ts'
import { analyticsRoutes } from './features/analytics/analytics/routes.ts'
import { assemblyRoutes } from './features/analytics/assembly/routes.ts'
import { energyRoutes } from './features/analytics/energy/routes.ts'
import { explanationRoutes } from './features/analytics/explanations/routes.ts'
import { forecastRoutes } from './features/analytics/forecasts/routes.ts'
import { impactRoutes } from './features/analytics/impact/routes.ts'
import { insightRoutes } from './features/analytics/insights/routes.ts'
import { plantRoutes } from './features/analytics/plants/routes.ts'
import { regulatoryRoutes } from './features/analytics/regulatory/routes.ts'
import { loadWithheldCheckItems } from './features/billing/corrections/index.ts'
import { registerCorrectionRoutes } from './features/billing/corrections/routes.ts'
import { registerInvoiceRoutes } from './features/billing/invoices/routes.ts'
import { registerLotRoutes } from './features/billing/lots/routes.ts'
import { registerBillingRoutes } from './features/billing/month-closing/routes.ts'
import { registerPartyRoutes } from './features/billing/parties/routes.ts'
import { registerSettingRoutes } from './features/billing/settings/routes.ts'
import { registerTariffRoutes } from './features/billing/tariffs/routes.ts'
import { enedisRoutes } from './features/enedis/credentials/routes.ts'
import { distributorFileRoutes } from './features/enedis/files/routes.ts'
import { loadLatestVerdicts } from './features/enedis/reconciliation/index.ts'
import { reconciliationRoutes } from './features/enedis/reconciliation/routes.ts'
import { syncRoutes } from './features/enedis/sync/routes.ts'
import { allocationRoutes } from './features/energy/allocation/routes.ts'
import { keyRoutes } from './features/energy/allocation-keys/routes.ts'
import { communeRoutes } from './features/energy/communes/routes.ts'
import { consentRoutes } from './features/energy/consents/routes.ts'
import { curveRoutes } from './features/energy/curves/routes.ts'
import { documentRoutes } from './features/energy/documents/routes.ts'
import { operationRoutes } from './features/energy/operations/routes.ts'
import { participantRoutes } from './features/energy/participants/routes.ts'
import { projectRoutes } from './features/energy/projects/routes.ts'
import { auditRoutes } from './features/identity/audit/routes.ts'
import { authRoutes } from './features/identity/auth/routes.ts'
import { companyRoutes } from './features/identity/companies/routes.ts'
import { registerDevMailRoutes } from './features/identity/mail/routes.ts'
import { notificationRoutes } from './features/identity/notifications/routes.ts'
import { profileRoutes } from './features/identity/profile/routes.ts'
import { roleRoutes } from './features/identity/roles/routes.ts'
import { scimRoutes } from './features/identity/scim/routes.ts'
import { ssoRoutes } from './features/identity/sso/routes.ts'
import { userRoutes } from './features/identity/users/routes.ts'
import { registerBankRoutes } from './features/payments/bank/routes.ts'
import { registerDebitRoutes } from './features/payments/direct-debits/routes.ts'
import { registerMandateRoutes } from './features/payments/mandates/routes.ts'
import { registerOnlineRoutes } from './features/payments/online/routes.ts'
import { registerPaymentRoutes } from './features/payments/payments/routes.ts'
import { registerPayoutRoutes } from './features/payments/payouts/routes.ts'
import { registerReminderRoutes } from './features/payments/reminders/routes.ts'
import { registerStatementRoutes } from './features/payments/statements/routes.ts'
import { closureRoutes } from './features/portal/closure/routes.ts'
import { erasureRoutes } from './features/portal/erasure/routes.ts'
import { joiningRoutes } from './features/portal/joining/routes.ts'
import { mailsRoutes } from './features/portal/mails/routes.ts'
import { messageRoutes } from './features/portal/messages/routes.ts'
import { portalManagementRoutes } from './features/portal/portal-settings/routes.ts'
import { reportRoutes } from './features/portal/reports/routes.ts'
import { supportRoutes } from './features/portal/support/routes.ts'
import { visitRoutes } from './features/portal/visits/routes.ts'
import { whiteLabelRoutes } from './features/portal/white-label/routes.ts'
import { bookingRoutes } from './features/site/bookings/routes.ts'
import { contentRoutes } from './features/site/content/routes.ts'
import { legalRoutes } from './features/site/legal/routes.ts'
import { requestRoutes } from './features/site/requests/routes.ts'
import { createSite } from './features/site/seo/index.ts'
import { seoRoutes } from './features/site/seo/routes.ts'
import { simulatorRoutes } from './features/site/simulator/routes.ts'
import { registerApiReference } from './http/api-reference.ts'
import { registerProxyDetection } from './http/client-address.ts'
import { registerErrorHandler, registerNotFound } from './http/errors.ts'
import { registerGateway } from './http/gateway/register-gateway.ts'
import { registerHealth } from './http/health.ts'
import { createLogController, registerLogging } from './http/logging.ts'
import { registerMetrics } from './http/metrics.ts'
import { registerPages } from './http/pages.ts'
import { CONNECTION_TIMEOUTS, registerBodyParsers, registerBodySpeedLimit } from './http/request-bodies.ts'
import { createRouterErrorHandler, registerSecurityHeaders } from './http/security.ts'
import { registerPurposes } from './telemetry/requests.ts'
import { loadWebBuild } from './web-build.ts'

/** Behind a proxy, TRUST_PROXY gives its addresses; otherwise X-Forwarded-For could be forged and is ignored. */
const parseTrustProxy = (value: string) => (value === '' ? false : value.split(',').map((part) => part.trim()))

function getServerTimeouts() {
  const { headersTimeout, connectionsCheckingInterval, ...more } = CONNECTION_TIMEOUTS
  return { ...more, http: { headersTimeout, connectionsCheckingInterval } }
}

export async function buildApp(deps: Deps) {
  const app = Fastify({
    loggerInstance: deps.log,
    genReqId: () => randomUUID(),
    trustProxy: parseTrustProxy(deps.config.TRUST_PROXY),
    bodyLimit: 1_048_576,
    ...getServerTimeouts(),
    frameworkErrors: createRouterErrorHandler(deps.config),
    logController: createLogController(),
    // While closing, requests on open connections are still answered; /readyz tells the load balancer to stop sending.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
  })
  app.decorate('deps', deps)
  app.decorate('web', deps.config.WEB === 'on' ? await loadWebBuild() : undefined)
  app.decorateRequest('actor', undefined)
  app.decorateRequest('leave', undefined)
  registerPurposes(app)
  registerBodyParsers(app)
  registerErrorHandler(app)
  registerBodySpeedLimit(app)
  await app.register(cookie)
  await registerSecurityHeaders(app)
  registerProxyDetection(app)
  registerLogging(app)
  registerMetrics(app)
  registerGateway(app)
  registerHealth(app)
  registerNotFound(app)
  registerApiReference(app)

  authRoutes(app)
  userRoutes(app)
  roleRoutes(app)
  ssoRoutes(app)
  scimRoutes(app)
  companyRoutes(app)
  whiteLabelRoutes(app)
  mailsRoutes(app)
  reportRoutes(app)
  supportRoutes(app)
  visitRoutes(app)
  closureRoutes(app)
  erasureRoutes(app)
  joiningRoutes(app)
  portalManagementRoutes(app)
  messageRoutes(app)
  profileRoutes(app)
  auditRoutes(app)
  statusRoutes(app)
  subscriptionRoutes(app)
  usageRoutes(app)
  notificationRoutes(app)
  operationRoutes(app, loadLatestVerdicts)
  communeRoutes(app)
  documentRoutes(app)
  participantRoutes(app)
  consentRoutes(app)
  curveRoutes(app)
  keyRoutes(app)
  allocationRoutes(app)
  energyRoutes(app)
  impactRoutes(app)
  explanationRoutes(app)
  forecastRoutes(app)
  regulatoryRoutes(app)
  assemblyRoutes(app)
  insightRoutes(app)
  analyticsRoutes(app)
  plantRoutes(app)
  reconciliationRoutes(app)
  enedisRoutes(app)
  syncRoutes(app)
  distributorFileRoutes(app)
  registerSettingRoutes(app)
  registerPartyRoutes(app)
  registerLotRoutes(app)
  registerTariffRoutes(app)
  registerTakeoverRoutes(app)
  registerCorrectionRoutes(app)
  registerStatementRoutes(app)
  registerPaymentRoutes(app)
  registerReminderRoutes(app)
  registerPayoutRoutes(app)
  registerBookRoutes(app)
  registerDeclarationRoutes(app)
  registerBillingRoutes(app, loadWithheldCheckItems)
  projectRoutes(app)
  registerInvoiceRoutes(app)
  registerMandateRoutes(app)
  registerDebitRoutes(app)
  registerBankRoutes(app)
  registerOnlineRoutes(app)
  registerSupplierBillRoutes(app)
  simulatorRoutes(app)
  apiDocRoutes(app)
  contentRoutes(app)
  legalRoutes(app)
  bookingRoutes(app)
  requestRoutes(app)
  seoRoutes(app)
  webhookRoutes(app)
  onboardingRoutes(app)
  retentionRoutes(app)
  apiKeyRoutes(app)
  backupRoutes(app)
  exportRoutes(app)
  ownFeedRoutes(app)
  connectionRoutes(app)
  healthRoutes(app)
  incidentRoutes(app)
  gatewayRoutes(app)
  flowRoutes(app, subscribers)
  searchRoutes(app)
  registerDevMailRoutes(app)

  if (app.web) await registerPages(app, app.web, createSite(app))
  return app
}
