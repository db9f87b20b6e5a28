export { issueForecasts } from './issue-forecasts.ts'
export { listIssuedDays } from './issued-forecasts.ts'
export { scoreForecasts } from './score-forecasts.ts'
