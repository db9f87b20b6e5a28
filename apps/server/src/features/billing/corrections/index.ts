export type { RecomputationSource } from './correction-proposal.ts'
export { computeCorrectionAmounts, findRecomputationSource, listOpenReviews, settleOpenReviews } from './corrections.ts'
export { loadIssuedMonths as billedMonths } from './review-months.ts'
export { loadWithheldCheckItems } from './withheld-amounts.ts'
