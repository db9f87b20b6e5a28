export { issueForecasts } from './issue.ts'
export { listIssuedDays } from './issued.ts'
export { scoreForecasts } from './score.ts'
