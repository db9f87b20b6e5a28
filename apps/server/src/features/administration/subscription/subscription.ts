export { findSubscription } from './find.ts'
export { loadSubscriptionOverview } from './view.ts'
