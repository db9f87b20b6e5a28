import { eventJobs } from '../events/jobs.ts'
import { apiKeyJobs } from '../features/admin/api-keys/jobs.ts'
import { backupJobs } from '../features/admin/backups/jobs.ts'
import { connectionJobs } from '../features/admin/connections/jobs.ts'
import { demoJobs } from '../features/admin/demo/jobs.ts'
import { flowJobs } from '../features/admin/event-forwarding/jobs.ts'
import { exportJobs } from '../features/admin/exports/jobs.ts'
import { gatewayJobs } from '../features/admin/gateway/jobs.ts'
import { healthJobs } from '../features/admin/health/jobs.ts'
import { incidentJobs } from '../features/admin/incidents/jobs.ts'
import { onboardingJobs } from '../features/admin/onboarding/jobs.ts'
import { retentionJobs } from '../features/admin/retention/jobs.ts'
import { statusJobs } from '../features/admin/status/jobs.ts'
import { subscriptionJobs } from '../features/admin/subscription/jobs.ts'
import { tidyJobs } from '../features/admin/tidy/jobs.ts'
import { webhookJobs } from '../features/admin/webhooks/jobs.ts'
import { rollupJobs } from '../features/analytics/energy/jobs.ts'
import { forecastJobs } from '../features/analytics/forecasts/jobs.ts'
import { insightJobs } from '../features/analytics/insights/jobs.ts'
import { regulatoryJobs } from '../features/analytics/regulatory/jobs.ts'
import { correctionJobs } from '../features/billing/corrections/jobs.ts'
import { invoiceJobs } from '../features/billing/invoices/jobs.ts'
import { distributorFileJobs } from '../features/enedis/files/jobs.ts'
import { syncJobs } from '../features/enedis/sync/jobs.ts'
import { allocationJobs } from '../features/energy/allocation/jobs.ts'
import { curveJobs } from '../features/energy/curves/jobs.ts'
import { documentJobs } from '../features/energy/documents/jobs.ts'
import { participantJobs } from '../features/energy/participants/jobs.ts'
import { auditJobs } from '../features/identity/audit/jobs.ts'
import { authJobs } from '../features/identity/auth/jobs.ts'
import { mailJobs } from '../features/identity/mail/jobs.ts'
import { ssoJobs } from '../features/identity/sso/jobs.ts'
import { bankJobs } from '../features/payments/bank/jobs.ts'
import { mandateJobs } from '../features/payments/mandates/jobs.ts'
import { onlineJobs } from '../features/payments/online/jobs.ts'
import { reminderJobs } from '../features/payments/reminders/jobs.ts'
import { joiningJobs } from '../features/portal/joining/jobs.ts'
import { messageJobs } from '../features/portal/messages/jobs.ts'
import { reportJobs } from '../features/portal/reports/jobs.ts'
import { solarMonthJobs } from '../features/portal/solar-month/jobs.ts'
import { supportJobs } from '../features/portal/support/jobs.ts'
import { whiteLabelJobs } from '../features/portal/white-label/jobs.ts'
import { contentJobs } from '../features/site/content/jobs.ts'
import { heartbeatJobs } from './heartbeat.ts'

/** The table of jobs: everything that runs later or on a schedule. */
export const jobs = {
  ...allocationJobs,
  ...apiKeyJobs,
  ...auditJobs,
  ...authJobs,
  ...backupJobs,
  ...connectionJobs,
  ...contentJobs,
  ...correctionJobs,
  ...curveJobs,
  ...demoJobs,
  ...distributorFileJobs,
  ...documentJobs,
  ...rollupJobs,
  ...eventJobs,
  ...flowJobs,
  ...exportJobs,
  ...forecastJobs,
  ...healthJobs,
  ...gatewayJobs,
  ...heartbeatJobs,
  ...incidentJobs,
  ...insightJobs,
  ...invoiceJobs,
  ...joiningJobs,
  ...mailJobs,
  ...mandateJobs,
  ...messageJobs,
  ...bankJobs,
  ...onboardingJobs,
  ...onlineJobs,
  ...participantJobs,
  ...regulatoryJobs,
  ...reportJobs,
  ...retentionJobs,
  ...reminderJobs,
  ...solarMonthJobs,
  ...ssoJobs,
  ...whiteLabelJobs,
  ...statusJobs,
  ...subscriptionJobs,
  ...supportJobs,
  ...syncJobs,
  ...tidyJobs,
  ...webhookJobs,
}

type Jobs = typeof jobs

declare module './job.ts' {
  interface JobTable extends Jobs {}
}
