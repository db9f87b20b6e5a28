import { apiKeySubscriber } from '../features/admin/api-keys/subscriber.ts'
import { backupSubscriber } from '../features/admin/backups/subscriber.ts'
import { connectionSubscriber } from '../features/admin/connections/subscriber.ts'
import { flowSubscriber } from '../features/admin/event-forwarding/subscriber.ts'
import { exportSubscriber } from '../features/admin/exports/subscriber.ts'
import { healthSubscriber } from '../features/admin/health/subscriber.ts'
import { incidentSubscriber } from '../features/admin/incidents/subscriber.ts'
import { subscriptionSubscriber } from '../features/admin/subscription/subscriber.ts'
import { webhookStopSubscriber, webhookSubscriber } from '../features/admin/webhooks/subscriber.ts'
import { forecastSubscriber } from '../features/analytics/forecasts/subscriber.ts'
import { correctionSubscriber } from '../features/billing/corrections/subscriber.ts'
import { invoiceSubscriber } from '../features/billing/invoices/subscriber.ts'
import { distributorFileSubscriber } from '../features/enedis/files/subscriber.ts'
import { syncSubscriber } from '../features/enedis/sync/subscriber.ts'
import { allocationSubscriber } from '../features/energy/allocation/subscriber.ts'
import { curveImportSubscriber } from '../features/energy/curves/subscriber.ts'
import { authSubscriber } from '../features/identity/auth/subscriber.ts'
import { onlineSubscriber } from '../features/payments/online/subscriber.ts'
import { paymentSubscriber } from '../features/payments/payments/subscriber.ts'
import { joiningSubscriber } from '../features/portal/joining/subscriber.ts'
import { participantMailSubscriber } from '../features/portal/participant-mails/subscriber.ts'
import { supportSubscriber } from '../features/portal/support/subscriber.ts'
import { bookingSubscriber } from '../features/site/bookings/subscriber.ts'
import { requestSubscriber } from '../features/site/requests/subscriber.ts'
import type { Subscriber } from './subscriber.ts'

/** The table of subscribers: who receives events, each in order and once. */
export const subscribers: readonly Subscriber[] = [
  allocationSubscriber,
  apiKeySubscriber,
  authSubscriber,
  backupSubscriber,
  bookingSubscriber,
  connectionSubscriber,
  correctionSubscriber,
  curveImportSubscriber,
  distributorFileSubscriber,
  exportSubscriber,
  flowSubscriber,
  forecastSubscriber,
  healthSubscriber,
  incidentSubscriber,
  invoiceSubscriber,
  joiningSubscriber,
  onlineSubscriber,
  participantMailSubscriber,
  paymentSubscriber,
  requestSubscriber,
  subscriptionSubscriber,
  supportSubscriber,
  syncSubscriber,
  webhookSubscriber,
  webhookStopSubscriber,
]
