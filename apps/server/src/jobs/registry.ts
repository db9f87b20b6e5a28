import { apiKeyJobs } from '../features/administration/api-keys/jobs.ts'
import { backupJobs } from '../features/administration/backups/jobs.ts'
import { connectionJobs } from '../features/administration/connections/jobs.ts'
import { demoJobs } from '../features/administration/demo/jobs.ts'
import { exportJobs } from '../features/administration/exports/jobs.ts'
import { flowJobs } from '../features/administration/flows/jobs.ts'
import { gatewayJobs } from '../features/administration/gateway/jobs.ts'
import { healthJobs } from '../features/administration/health/jobs.ts'
import { incidentJobs } from '../features/administration/incidents/jobs.ts'
import { onboardingJobs } from '../features/administration/onboarding/jobs.ts'
import { retentionJobs } from '../features/administration/retention/jobs.ts'
import { statusJobs } from '../features/administration/status/jobs.ts'
import { subscriptionJobs } from '../features/administration/subscription/jobs.ts'
import { tidyJobs } from '../features/administration/tidy/jobs.ts'
import { webhookJobs } from '../features/administration/webhooks/jobs.ts'
import { distributorFileJobs } from '../features/distributor/distributor-files/jobs.ts'
import { syncJobs } from '../features/distributor/sync/jobs.ts'
import { allocationJobs } from '../features/energy/allocations/jobs.ts'
import { curveJobs } from '../features/energy/curves/jobs.ts'
import { documentJobs } from '../features/energy/documents/jobs.ts'
import { participantJobs } from '../features/energy/participants/jobs.ts'
import { bankJobs } from '../features/money/bank/jobs.ts'
import { correctionJobs } from '../features/money/corrections/jobs.ts'
import { invoiceJobs } from '../features/money/invoices/jobs.ts'
import { mandateJobs } from '../features/money/mandates/jobs.ts'
import { onlineJobs } from '../features/money/online/jobs.ts'
import { reminderJobs } from '../features/money/reminders/jobs.ts'
import { auditJobs } from '../features/people/audit/jobs.ts'
import { authJobs } from '../features/people/auth/jobs.ts'
import { mailJobs } from '../features/people/mail/jobs.ts'
import { ssoJobs } from '../features/people/sso/jobs.ts'
import { joiningJobs } from '../features/relationship/joining/jobs.ts'
import { messageJobs } from '../features/relationship/messages/jobs.ts'
import { reportJobs } from '../features/relationship/reports/jobs.ts'
import { solarMonthJobs } from '../features/relationship/solar-month/jobs.ts'
import { supportJobs } from '../features/relationship/support/jobs.ts'
import { whiteLabelJobs } from '../features/relationship/white-label/jobs.ts'
import { contentJobs } from '../features/site/content/jobs.ts'
import { rollupJobs } from '../features/understanding/energy/jobs.ts'
import { forecastJobs } from '../features/understanding/forecasts/jobs.ts'
import { insightJobs } from '../features/understanding/insights/jobs.ts'
import { regulatoryJobs } from '../features/understanding/regulatory/jobs.ts'
import { eventJobs } from './events.ts'
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
