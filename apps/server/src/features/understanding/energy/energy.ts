export { type SeatMonth, seatsByMonth, standingRuns } from './seats.ts'
export { summaryOf } from './summary.ts'
