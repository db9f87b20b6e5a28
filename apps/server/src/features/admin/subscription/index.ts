export { findSubscription } from './find-subscription.ts'
export { loadSubscriptionOverview } from './subscription-overview.ts'
