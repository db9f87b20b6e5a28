export { loadDuePayouts } from './due.ts'
export { listPayouts, planPayouts } from './write.ts'
