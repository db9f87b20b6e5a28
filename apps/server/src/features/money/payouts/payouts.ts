export { payoutsDue } from './due.ts'
export { listPayouts, planPayouts } from './write.ts'
