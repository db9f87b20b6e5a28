export { listPayouts, loadDuePayouts, planPayouts } from './producer-payouts.ts'
