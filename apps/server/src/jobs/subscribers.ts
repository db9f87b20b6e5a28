import type { Subscriber } from '../core/subscriber.ts'
import { apiKeySubscriber } from '../features/administration/api-keys/subscriber.ts'
import { backupSubscriber } from '../features/administration/backups/subscriber.ts'
import { connectionSubscriber } from '../features/administration/connections/subscriber.ts'
import { exportSubscriber } from '../features/administration/exports/subscriber.ts'
import { flowSubscriber } from '../features/administration/flows/subscriber.ts'
import { healthSubscriber } from '../features/administration/health/subscriber.ts'
import { incidentSubscriber } from '../features/administration/incidents/subscriber.ts'
import { subscriptionSubscriber } from '../features/administration/subscription/subscriber.ts'
import { webhookStopSubscriber, webhookSubscriber } from '../features/administration/webhooks/subscriber.ts'
import { distributorFileSubscriber } from '../features/distributor/distributor-files/subscriber.ts'
import { syncSubscriber } from '../features/distributor/sync/subscriber.ts'
import { allocationSubscriber } from '../features/energy/allocations/subscriber.ts'
import { curveImportSubscriber } from '../features/energy/curves/subscriber.ts'
import { correctionSubscriber } from '../features/money/corrections/subscriber.ts'
import { invoiceSubscriber } from '../features/money/invoices/subscriber.ts'
import { onlineSubscriber } from '../features/money/online/subscriber.ts'
import { paymentSubscriber } from '../features/money/payments/subscriber.ts'
import { authSubscriber } from '../features/people/auth/subscriber.ts'
import { joiningSubscriber } from '../features/relationship/joining/subscriber.ts'
import { participantMailSubscriber } from '../features/relationship/participant-mails/subscriber.ts'
import { supportSubscriber } from '../features/relationship/support/subscriber.ts'
import { bookingSubscriber } from '../features/site/bookings/subscriber.ts'
import { requestSubscriber } from '../features/site/requests/subscriber.ts'
import { forecastSubscriber } from '../features/understanding/forecasts/subscriber.ts'

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
