import { allocations } from './allocations.ts'
import { analytics } from './analytics.ts'
import { apiDocs } from './api-docs.ts'
import { apiKeys } from './api-keys.ts'
import { assembly } from './assembly.ts'
import { audit } from './audit.ts'
import { auth } from './auth.ts'
import { backups } from './backups.ts'
import { bank } from './bank.ts'
import { billing } from './billing.ts'
import { bookings } from './bookings.ts'
import { books } from './books.ts'
import { closure } from './closure.ts'
import { communes } from './communes.ts'
import { companies } from './companies.ts'
import { connections } from './connections.ts'
import { consents } from './consents.ts'
import { content } from './content.ts'
import { corrections } from './corrections.ts'
import { curves } from './curves.ts'
import { debits } from './debits.ts'
import { declarations } from './declarations.ts'
import { distributorFiles } from './distributor-files.ts'
import { documents } from './documents.ts'
import { effects } from './effects.ts'
import type { Endpoint } from './endpoint.ts'
import { enedis } from './enedis.ts'
import { energy } from './energy.ts'
import { erasure } from './erasure.ts'
import { dataExports } from './exports.ts'
import { feed } from './feed.ts'
import { flows } from './flows.ts'
import { forecasts } from './forecasts.ts'
import { gateway } from './gateway.ts'
import { health } from './health.ts'
import { holders } from './holders.ts'
import { incidents } from './incidents.ts'
import { insights } from './insights.ts'
import { invoices } from './invoices.ts'
import { joining } from './joining.ts'
import { joiningDesk } from './joining-management.ts'
import { keys } from './keys.ts'
import { legal } from './legal.ts'
import { lots } from './lots.ts'
import { mails } from './mails.ts'
import { mandates } from './mandates.ts'
import { messages } from './messages.ts'
import { notifications } from './notifications.ts'
import { onboarding } from './onboarding.ts'
import { online } from './online.ts'
import { operations } from './operations.ts'
import { ownFeed } from './own-feed.ts'
import { participants } from './participants.ts'
import { parties } from './parties.ts'
import { passkeys } from './passkeys.ts'
import { payments } from './payments.ts'
import { payouts } from './payouts.ts'
import { plants } from './plants.ts'
import { participations, points } from './points.ts'
import { portalManagement } from './portal-management.ts'
import { profile } from './profile.ts'
import { projects } from './projects.ts'
import { reconciliation } from './reconciliation.ts'
import { regulatory } from './regulatory.ts'
import { reminders } from './reminders.ts'
import { reports } from './reports.ts'
import { requests } from './requests.ts'
import { retention } from './retention.ts'
import { roles } from './roles.ts'
import { search } from './search.ts'
import { seo } from './seo.ts'
import { settings } from './settings.ts'
import { simulator } from './simulator.ts'
import { sso } from './sso.ts'
import { statements } from './statements.ts'
import { status } from './status.ts'
import { subscription } from './subscription.ts'
import { supplierBills } from './supplier-bills.ts'
import { support } from './support.ts'
import { supportDesk } from './support-agents.ts'
import { sync } from './sync.ts'
import { takeovers } from './takeovers.ts'
import { tariffs } from './tariffs.ts'
import { usage } from './usage.ts'
import { users } from './users.ts'
import { visits } from './visits.ts'
import { webhooks } from './webhooks.ts'
import { whiteLabel } from './white-label.ts'
import { why } from './why.ts'

/** Every HTTP endpoint of the product. What is not here cannot be called. */
export const api = {
  auth,
  passkeys,
  companies,
  whiteLabel,
  mails,
  users,
  roles,
  apiKeys,
  profile,
  notifications,
  audit,
  status,
  operations,
  participants,
  holders,
  points,
  participations,
  consents,
  communes,
  keys,
  curves,
  allocations,
  effects,
  energy,
  forecasts,
  analytics,
  plants,
  why,
  insights,
  reconciliation,
  enedis,
  sync,
  distributorFiles,
  billing,
  settings,
  parties,
  projects,
  documents,
  invoices,
  content,
  legal,
  seo,
  bookings,
  regulatory,
  reports,
  requests,
  simulator,
  apiDocs,
  webhooks,
  connections,
  feed,
  exports: dataExports,
  ownFeed,
  search,
  takeovers,
  tariffs,
  corrections,
  statements,
  payments,
  reminders,
  payouts,
  mandates,
  debits,
  bank,
  online,
  supplierBills,
  support,
  supportDesk,
  visits,
  closure,
  erasure,
  joining,
  joiningDesk,
  portalManagement,
  messages,
  books,
  declarations,
  lots,
  assembly,
  backups,
  health,
  flows,
  sso,
  gateway,
  incidents,
  onboarding,
  retention,
  subscription,
  usage,
}

export const endpoints: Endpoint[] = Object.values(api).flatMap((feature) => Object.values(feature))
