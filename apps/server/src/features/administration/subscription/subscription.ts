export { findSubscription } from './find.ts'
export { getSubscription } from './view.ts'
